/// Search by words and by meaning: a [dev.fusebox.search.SearchIndex] of documents, and the store of their vectors.
@org.jspecify.annotations.NullMarked
package dev.fusebox.search;
