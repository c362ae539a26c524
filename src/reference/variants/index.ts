import type { Variant } from '../variant.js';
import { cardVariants } from './card.js';
import { card10Variants } from './card-1.0.js';
import { equivalenceVariants } from './equivalence.js';
import { extensionVariants } from './extensions.js';
import { grpcVariants } from './grpc.js';
import { httpVariants } from './http.js';
import { httpJsonVariants } from './http-json.js';
import { libraryVariants } from './libraries.js';
import { pushVariants } from './push.js';
import { queueVariants } from './queue.js';
import { rpcVariants } from './rpc.js';
import { securityVariants } from './security.js';
import { shapeVariants } from './shapes.js';
import { streamingVariants } from './streaming.js';
import { taskVariants } from './tasks.js';
import { unclearVariants } from './unclear.js';

/** Every conforming but unusual agent. */
export const variants: readonly Variant[] = [
  ...taskVariants,
  ...shapeVariants,
  ...rpcVariants,
  ...unclearVariants,
  ...httpVariants,
  ...httpJsonVariants,
  ...grpcVariants,
  ...libraryVariants,
  ...cardVariants,
  ...card10Variants,
  ...securityVariants,
  ...extensionVariants,
  ...equivalenceVariants,
  ...streamingVariants,
  ...pushVariants,
  ...queueVariants,
];
