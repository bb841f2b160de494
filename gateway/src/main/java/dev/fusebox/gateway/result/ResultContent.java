package dev.fusebox.gateway.result;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a result consists of, as far as its size matters: the result of a tool, or of reading a resource. Immutable.
///
/// @param result as the server wrote it
/// @param list its `content` or `contents`; null if it has neither, but structured content
/// @param items the elements of the list
/// @param texts the room that all text needs
/// @param structured the structured content; null if there is none
/// @param isOfTool whether it is the result of a tool
record ResultContent(
        JsonView result,
        @Nullable JsonView list,
        List<Item> items,
        TextBudget texts,
        @Nullable JsonView structured,
        boolean isOfTool) {
    /// One content item.
    ///
    /// @param element as the server wrote it
    /// @param written its text as a JSON string; null if it has none
    /// @param text the same decoded; empty if it has none
    /// @param binary the length of its image, audio or blob, as Base64
    record Item(JsonView element, @Nullable JsonView written, String text, long binary) {
        private static Item of(JsonView element) {
            JsonView embedded = element.member("resource");
            // Some servers write members without a value as null.
            JsonView holder = embedded == null || !embedded.isObject() ? element : embedded;
            JsonView text = holder.member("text");
            JsonView written = text != null && text.isString() ? text : null;
            String decoded = written == null ? null : written.string();
            return new Item(
                    element,
                    written,
                    decoded == null ? "" : decoded,
                    length(holder.member("data")) + length(holder.member("blob")));
        }

        private static long length(@Nullable JsonView value) {
            return value != null && value.isString() ? value.length() - 2L : 0;
        }

        boolean isText() {
            return written != null;
        }
    }

    /// Null if it is neither, and so has no text to cut.
    static @Nullable ResultContent of(Message.Answer answer) {
        JsonView result = answer.result();
        if (result == null) {
            return null;
        }
        JsonView content = result.member("content");
        JsonView structured = result.member("structuredContent");
        boolean isStructured = structured != null && !structured.isNull();
        JsonView list = content == null ? result.member("contents") : content;
        if (list == null || !list.isArray()) {
            return isStructured
                    ? new ResultContent(result, null, List.of(), new TextBudget(0, 0), structured, true)
                    : null;
        }
        List<Item> items = new ArrayList<>();
        list.elements().forEach(element -> items.add(Item.of(element)));
        TextBudget texts =
                items.stream().map(item -> TextBudget.of(item.text())).reduce(new TextBudget(0, 0), TextBudget::plus);
        return new ResultContent(
                result, list, List.copyOf(items), texts, isStructured ? structured : null, content != null);
    }

    /// The length of everything except the text between its quotes.
    long lengthWithoutText() {
        return result.length()
                - items.stream()
                        .mapToLong(item ->
                                item.written() == null ? 0 : item.written().length() - 2L)
                        .sum();
    }

    /// The length of all binary content.
    long binary() {
        return items.stream().mapToLong(Item::binary).sum();
    }

    long structuredLength() {
        return structured == null ? 0 : structured.length();
    }
}
