import { type BindingId, dialects } from '../../dialect/index.js';
import type { Interface } from '../../model/index.js';
import { type Patch, together } from '../seams.js';
import { declaring } from './declaring.js';
import { rest } from './rest.js';

/** Where each binding is served that is not the one of the profile. */
const places: Readonly<Record<BindingId, string>> = { jsonrpc: '/rpc', 'http+json': '/rest', grpc: '/' };

/** Serves JSON-RPC below `/rpc` as well. */
const rpc: Patch = (inner) => ({ rpcPaths: () => [...inner.rpcPaths(), places.jsonrpc] });

/** Serves gRPC as well, at the root of the origin. */
const grpc: Patch = () => ({ grpcServed: () => true });

/** Declares every binding of the version, each interface like that of the profile. */
const declared: Patch = (inner, world, whole) =>
  declaring(({ interfaces }) => {
    const { dialect, baseUrl } = world;
    const others = dialects.filter(({ id, version }) => version === dialect.version && id !== dialect.id);
    const own = interfaces.slice(0, 1);
    return {
      interfaces: [
        ...interfaces,
        ...others.flatMap(({ binding }): readonly Interface[] =>
          own.map((item) => ({ ...item, url: `${baseUrl}${places[binding.id]}`, transport: binding.transport })),
        ),
      ],
    };
  })(inner, world, whole);

/** Speaks every binding of its version over one store, whichever the profile has, and declares all of them. */
export const allBindings: Patch = together(rpc, rest(places['http+json']), grpc, declared);
