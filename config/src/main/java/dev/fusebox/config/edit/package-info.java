/// Editors for the configuration file and for the files of MCP clients; all other text in a file stays as it is.
package dev.fusebox.config.edit;
