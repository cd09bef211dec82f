//! What the API server does with a custom resource, a module per behaviour.
