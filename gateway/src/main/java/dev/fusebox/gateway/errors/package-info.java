/// What can be wrong, each kind under an id that does not change and has a page in docs/errors.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.errors;
