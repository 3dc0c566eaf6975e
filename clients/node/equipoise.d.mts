export * from './equipoise.js';
