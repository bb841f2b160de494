/// Search by words and by meaning, wanted alone: a [Library] of documents, and a model that reads them.
@org.jspecify.annotations.NullMarked
package dev.fusebox.search;
