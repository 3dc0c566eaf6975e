// The libraries of index.html, as a module.

export const { h, Fragment, render } = globalThis.preact;
export const { useState, useEffect, useLayoutEffect, useRef, useMemo, useId } = globalThis.preactHooks;
export const d3 = globalThis.d3;
