package dev.fusebox.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An editor of a frame that replaces some values and keeps everything else byte for byte. Not thread-safe.
public final class Splice {
    private final JsonView frame;
    private Edit[] edits = new Edit[4];
    private int count;

    /// One change of a frame, which applies to that frame only. Immutable.
    public static final class Edit {
        private final int from;
        private final int to;
        private final byte[] replacement;

        private Edit(int from, int to, byte[] replacement) {
            this.from = from;
            this.to = to;
            this.replacement = replacement;
        }

        /// Replaces a value of the frame.
        public static Edit replace(JsonView value, String json) {
            return new Edit(value.from(), value.to(), json.getBytes(StandardCharsets.UTF_8));
        }

        /// Puts members at the beginning of an object of the frame; the names must not be there yet.
        ///
        /// @param members as they stand in an object: `"a":1,"b":2`
        public static Edit insert(JsonView object, String members) {
            int at = object.from() + 1;
            boolean isEmpty = object.text()[JsonScanner.skipSpace(object.text(), at)] == '}';
            String inserted = isEmpty ? members : members + ",";
            return new Edit(at, at, inserted.getBytes(StandardCharsets.UTF_8));
        }

        /// Whether it adds to the frame and replaces nothing.
        public boolean isInsertion() {
            return from == to;
        }
    }

    private Splice(JsonView frame) {
        this.frame = frame;
    }

    public static Splice of(JsonView frame) {
        return new Splice(frame);
    }

    /// Replaces a value of the frame; does nothing if it is null.
    public Splice replace(@Nullable JsonView value, String json) {
        if (value != null) {
            add(Edit.replace(value, json));
        }
        return this;
    }

    /// Inserts members at the beginning of an object of the frame; the names must not be present yet.
    ///
    /// @param members in JSON without the braces: `"a":1,"b":2`
    public Splice insert(JsonView object, String members) {
        add(Edit.insert(object, members));
        return this;
    }

    /// Makes these edits.
    public Splice all(List<Edit> more) {
        more.forEach(this::add);
        return this;
    }

    /// Removes members from an object of the frame, each with its comma. None of them may be edited as well.
    ///
    /// @param names of the members to remove
    public Splice remove(JsonView object, Predicate<String> names) {
        List<JsonView.Member> members = object.members();
        int at = 0;
        while (at < members.size()) {
            int end = at;
            while (end < members.size() && names.test(members.get(end).name())) {
                end++;
            }
            if (end > at) {
                cut(members, at, end);
            }
            at = end + 1;
        }
        return this;
    }

    /// Up to the next member; if there is none, from the end of the previous one.
    private void cut(List<JsonView.Member> members, int first, int next) {
        boolean isLast = next == members.size();
        int from = isLast && first > 0
                ? members.get(first - 1).value().to()
                : members.get(first).from();
        int to = isLast ? members.get(next - 1).value().to() : members.get(next).from();
        add(new Edit(from, to, new byte[0]));
    }

    private void add(Edit edit) {
        if (count == edits.length) {
            edits = Arrays.copyOf(edits, 2 * count);
        }
        edits[count++] = edit;
    }

    /// The frame with all replacements, in one copy.
    public byte[] bytes() {
        Arrays.sort(edits, 0, count, (one, other) -> Integer.compare(one.from, other.from));
        ByteBuffer spliced = ByteBuffer.allocate(length());
        byte[] text = frame.text();
        int read = frame.from();
        for (int i = 0; i < count; i++) {
            Edit edit = edits[i];
            spliced.put(text, read, edit.from - read).put(edit.replacement);
            read = edit.to;
        }
        return spliced.put(text, read, frame.to() - read).array();
    }

    private int length() {
        int length = frame.length();
        for (int i = 0; i < count; i++) {
            length += edits[i].replacement.length - (edits[i].to - edits[i].from);
        }
        return length;
    }
}
