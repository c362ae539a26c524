import { clientCheck, eachCall, header } from '../../src/kit/index.js';

export const sendsVersion = clientCheck('client-request/version', 'client.sends-version')
  .in()
  .expects(
    'send A2A-Version with every request',
    eachCall(({ exchange: { request } }) => {
      const inQuery = new URL(request.url).searchParams.get('A2A-Version') ?? undefined;
      return header(request.headers, 'a2a-version') === undefined && inQuery === undefined
        ? 'it has no A2A-Version'
        : undefined;
    }),
  )
  .advice('Add the header A2A-Version to every request, streams and downloads of the card included.')
  .killedBy('client-no-version');

export const requestRules = [sendsVersion];
