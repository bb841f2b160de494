/// Conversions from the records of the configuration to the rules of the runtime: breakers, call pipelines, child
/// processes, HTTP targets, the HTTP server and scripts. Pure functions; thread-safe.
///
/// The module `config` knows none of the runtime's types, so that commands can read and edit configuration files
/// without it. A new setting of the runtime is converted here and nowhere else.
package dev.fusebox.gateway.settings;
