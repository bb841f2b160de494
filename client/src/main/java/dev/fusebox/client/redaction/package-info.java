/// Redaction of secrets in logs, errors and reports.
@org.jspecify.annotations.NullMarked
package dev.fusebox.client.redaction;
