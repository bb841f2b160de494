/// The configuration of the gateway as immutable records, and the reader of the configuration file.
///
/// [dev.fusebox.config.ConfigFile] reads a file into a [dev.fusebox.config.Configuration], or into
/// [dev.fusebox.config.ConfigProblem]s with line, column and a suggestion. Each section of the file has one class
/// with its keys and its reader, such as `HttpSection`; `FileSection` is the root. The reader, the JSON schema and
/// the tables in `docs/configuration.md` are all made from these keys.
package dev.fusebox.config;
