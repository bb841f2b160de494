package dev.fusebox.search.training;

import java.util.List;
import java.util.Set;

/// Tools, and questions that they answer. Immutable.
///
/// @param trainable the indexes of the tools that may be trained with
/// @param training questions to train with
/// @param heldOut questions to measure with
record QuestionSet(
        String name,
        List<ToolExample> tools,
        List<Integer> trainable,
        List<Question> training,
        List<Question> heldOut) {
    /// @param answers the indexes of the tools that answer it together, or each alone
    record Question(String text, Set<Integer> answers) {}
}
