import client from './equipoise.cjs';

export const { Client, EquipoiseError, Unavailable } = client;
export default client;
