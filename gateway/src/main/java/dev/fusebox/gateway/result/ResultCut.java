package dev.fusebox.gateway.result;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The adaptation of one long result to its limits: its text is cut and the rest is kept, other content that is too
/// long is refused. For one thread; nothing blocks.
final class ResultCut {
    /// The `_meta` key that tells programs what was cut.
    private static final String CUT = "fusebox/cut";

    /// What the note and the link need in a result whose tokens are counted.
    private static final long NOTE_BYTES = 900;

    /// What a part needs beside its text when it is read.
    private static final long ENVELOPE_BYTES = 400;

    private final ResultSource source;
    private final long maxTokenBytes;
    private final Duration keep;
    private final ResultNote note;
    private final TextSink textSink;

    /// The receiver of text that is cut off.
    interface TextSink {
        /// Returns the id of the text; null if it cannot be kept.
        @Nullable
        String keep(DividedText text);
    }

    ResultCut(ResultSource source, ResultRules rules, TextSink textSink) {
        this.source = source;
        this.maxTokenBytes = rules.maxTokenBytes();
        this.keep = rules.keep();
        this.note = new ResultNote(source, rules);
        this.textSink = textSink;
    }

    /// The result within its limits; the same outcome if it is within them.
    Outcome apply(Outcome.Answered outcome, ResultContent content) {
        Excess excess = excess(content);
        if (excess != null) {
            return new Outcome.Failed(refusal(content, excess));
        }
        TextBudget room = room(content);
        boolean isOver = content.texts().bytes() > source.maxResultBytes()
                || content.result().length() > maxTokenBytes;
        return isOver ? new Outcome.Answered(cut(outcome.answer(), content, room)) : outcome;
    }

    // ---- Content that cannot be cut

    /// What is too long and cannot be cut.
    ///
    /// @param what it is, with its size
    /// @param readable its JSON text, which can be read in parts; null if that would be of no use
    private record Excess(String what, @Nullable String readable) {}

    /// Null if nothing is too long that cannot be cut.
    private @Nullable Excess excess(ResultContent content) {
        JsonView structured = content.structured();
        long length = content.structuredLength();
        long binary = content.binary();
        long rest = content.lengthWithoutText();
        boolean isOverTokens = rest > maxTokenBytes;
        if (structured != null && (length > source.maxResultBytes() || (isOverTokens && length > rest / 2))) {
            return new Excess("structured content of " + length + " bytes", structured.json());
        }
        if (binary > source.maxResultBytes() || (isOverTokens && binary > rest / 2)) {
            return new Excess("images, audio or other binary content of " + binary + " bytes (as Base64)", null);
        }
        return isOverTokens ? new Excess("content other than text of " + rest + " bytes", null) : null;
    }

    /// The structured content is kept as text, so that a tool with effects need not be called again.
    private CallFailure refusal(ResultContent content, Excess excess) {
        String readable = excess.readable();
        DividedText text = readable == null ? null : DividedText.of(readable, 0, ofPart());
        String id = text == null ? null : textSink.keep(text);
        ResultNote.Rest rest = text == null || id == null ? null : new ResultNote.Rest(id, text, 1);
        return CallFailure.of(ErrorId.RESULT_TOO_LARGE, note.refusal(excess.what(), content, rest));
    }

    // ---- Text

    /// The room for all text of the result.
    private TextBudget room(ResultContent content) {
        long left = maxTokenBytes - content.lengthWithoutText();
        return new TextBudget(
                source.maxResultBytes(),
                maxTokenBytes == ResultSource.NO_LIMIT ? maxTokenBytes : without(left, NOTE_BYTES));
    }

    private TextBudget ofPart() {
        return new TextBudget(
                source.maxResultBytes(),
                maxTokenBytes == ResultSource.NO_LIMIT ? maxTokenBytes : without(maxTokenBytes, ENVELOPE_BYTES));
    }

    /// At least half remains for the text, however short the limit is.
    private static long without(long room, long used) {
        return Math.max(room / 2, room - used);
    }

    /// Where the text is cut.
    ///
    /// @param item the first item that is not whole; the number of items if all are
    /// @param end of what is left of its text
    private record CutPosition(int item, int end) {}

    private static CutPosition position(ResultContent content, TextBudget room) {
        TextBudget left = room;
        for (int i = 0; i < content.items().size(); i++) {
            String text = content.items().get(i).text();
            TextBudget need = TextBudget.of(text);
            if (!left.covers(need)) {
                return new CutPosition(i, TextDivision.end(text, 0, left));
            }
            left = left.minus(need);
        }
        return new CutPosition(content.items().size(), 0);
    }

    private Message.Answer cut(Message.Answer answer, ResultContent content, TextBudget room) {
        CutPosition position = position(content, room);
        boolean isCut = position.item() < content.items().size();
        ResultNote.Rest rest = isCut ? keep(content, position) : null;
        JsonWriter list = new JsonWriter().beginArray();
        for (int i = 0; i < content.items().size(); i++) {
            ResultContent.Item item = content.items().get(i);
            if (!item.isText()) {
                list.raw(item.element());
            } else if (i < position.item()) {
                list.raw(withText(item, item.text()));
            } else if (i == position.item()) {
                if (position.end() > 0) {
                    list.raw(withText(item, item.text().substring(0, position.end())));
                }
                note.write(list, content, rest, shown(content, position));
            }
        }
        Message.Answer whole = withList(answer, content, list.endArray().toString());
        return isCut
                ? ResponseRelay.with(withCacheHint(whole), CUT, note.meta(content, rest, shown(content, position)))
                : whole;
    }

    /// The address in what was cut is for one principal, and valid for some time: no cache may keep it for others, or
    /// longer.
    private Message.Answer withCacheHint(Message.Answer answer) {
        Message.Answer ofClient = ResponseRelay.withPrivateScope(answer);
        JsonView ttl = ofClient.frame().path("result", "ttlMs");
        return ttl == null || isWithin(ttl.json(), keep)
                ? ofClient
                : ofClient.withFrame(Splice.of(ofClient.frame())
                        .replace(ttl, Long.toString(keep.toMillis()))
                        .bytes());
    }

    private static boolean isWithin(String millis, Duration limit) {
        try {
            return Long.parseLong(millis) <= limit.toMillis();
        } catch (NumberFormatException unclear) {
            return false;
        }
    }

    private static Message.Answer withList(Message.Answer answer, ResultContent content, String list) {
        JsonView old = Objects.requireNonNull(content.list(), "a result with text has a list");
        return answer.withFrame(Splice.of(answer.frame()).replace(old, list).bytes());
    }

    /// Written anew even if it is whole: a server may have escaped characters that need no escape.
    private static String withText(ResultContent.Item item, String text) {
        byte[] element = Splice.of(item.element())
                .replace(item.written(), JsonWriter.quoted(text))
                .bytes();
        return new String(element, StandardCharsets.UTF_8);
    }

    /// The text of the first items, each on a line of its own, as scripts get it.
    private static String joined(ResultContent content, int items) {
        List<String> texts = content.items().stream()
                .limit(items)
                .filter(ResultContent.Item::isText)
                .map(ResultContent.Item::text)
                .toList();
        // Nearly always, and then the text is not copied.
        return texts.size() == 1 ? texts.getFirst() : String.join("\n", texts);
    }

    private ResultNote.@Nullable Rest keep(ResultContent content, CutPosition position) {
        String before = joined(content, position.item());
        boolean isFirst = content.items().stream().limit(position.item()).noneMatch(ResultContent.Item::isText);
        int shown = position.end() + (isFirst ? 0 : before.length() + 1);
        DividedText text = DividedText.of(joined(content, content.items().size()), shown, ofPart());
        String id = text == null ? null : textSink.keep(text);
        return text == null || id == null ? null : new ResultNote.Rest(id, text, shown == 0 ? 1 : 2);
    }

    /// The bytes of text that the client gets.
    private static long shown(ResultContent content, CutPosition position) {
        long whole = content.items().stream()
                .limit(position.item())
                .mapToLong(item -> TextBudget.of(item.text()).bytes())
                .sum();
        String cut = content.items().get(position.item()).text().substring(0, position.end());
        return whole + TextBudget.of(cut).bytes();
    }
}
