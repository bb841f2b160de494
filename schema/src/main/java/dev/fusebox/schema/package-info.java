/// Validation of call arguments against the schema of their tool, before a call is sent.
///
/// Schemas and patterns come from servers and are not trusted: every check has a budget of steps, patterns are
/// matched by an automaton without backtracking, nothing is fetched, and undecidable calls are let through.
package dev.fusebox.schema;
