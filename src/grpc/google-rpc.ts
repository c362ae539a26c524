import type { PackageTable } from './table.js';

/** What gRPC sends with an error (google/rpc/status.proto, google/rpc/error_details.proto). */
export const googleRpc: PackageTable = {
  name: 'google.rpc',
  enums: {},
  messages: {
    // google.rpc.Status with its details unread: each is a google.protobuf.Any, of any type.
    RawStatus: { code: '1 int32', message: '2 string', details: '3 bytes[]' },
    ErrorInfo: { reason: '1 string', domain: '2 string', metadata: '3 map<string, string>' },
    BadRequest: { field_violations: '1 FieldViolation[]' },
    DebugInfo: { stack_entries: '1 string[]', detail: '2 string' },
    FieldViolation: { field: '1 string', description: '2 string', reason: '3 string' },
  },
  methods: {},
};
