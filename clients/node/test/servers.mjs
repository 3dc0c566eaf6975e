// HTTP servers on loopback that fail on purpose.
import { createServer } from 'node:http';

export const DROP = Symbol('close the connection without an answer');
export const ID = '$id'; // stands in answers for the decision id of the request, in a batch for those of its decisions in their order

// Serves on a free port. `answer` maps a request to DROP or [status, headers, JSON value].
async function serve(answer) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const seen = { method: request.method, path: request.url, headers: request.headers, body: body === '' ? undefined : JSON.parse(body) };
    requests.push(seen);
    const given = await answer(seen);
    if (given === DROP) {
      request.socket.destroy();
      return;
    }
    const [status, headers, value] = given;
    let text = value === undefined ? '' : JSON.stringify(value);
    for (const { decisionId } of seen.body?.decisions ?? [seen.body ?? {}]) text = text.replace(ID, () => decisionId);
    response.writeHead(status, headers).end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requests,
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections?.();
      server.close();
    },
  };
}

// Answers each request as a handler of node:http does.
export async function handling(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => (server.closeAllConnections?.(), server.close()) };
}

// Gives the answers of a list, one after the other.
export function scripted(...answers) {
  return serve(() => answers.shift());
}

// Forwards every request to a gateway, and loses the answers to the first `lost` requests.
export function losesAnswers(gateway, lost) {
  return serve(async ({ method, path, body }) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(gateway + path, { method, headers, body: body && JSON.stringify(body) });
    const value = await answer.json();
    return lost-- > 0 ? DROP : [answer.status, { 'content-type': answer.headers.get('content-type') }, value];
  });
}

// Accepts connections and never answers.
export function silent() {
  return serve(() => new Promise(() => {}));
}
