/// Embedding models in plain Java: [dev.fusebox.search.model.SentenceModel] converts a text to a vector.
@org.jspecify.annotations.NullMarked
package dev.fusebox.search.model;
