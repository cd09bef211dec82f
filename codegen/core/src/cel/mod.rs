//! CEL as the API server has it: parser, type checker, cost, evaluation. Knows nothing of schemas.
