package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reader of a JSON object of OAuth with limits on its members. Unknown members are ignored, null is like a missing
/// member, and a wrong type is an error that names the member. Immutable; nothing blocks.
final class MetadataReader {
    private static final int MAX_TEXT = 64 << 10;
    private static final int MAX_ELEMENTS = 1_000;

    /// No document of OAuth is nested more than a few levels.
    private static final int MAX_DEPTH = 32;

    private final JsonView object;

    private MetadataReader(JsonView object) {
        this.object = object;
    }

    static MetadataReader of(byte[] document) throws InvalidMetadata {
        try {
            JsonView object = JsonView.parse(document, MAX_DEPTH);
            if (!object.isObject()) {
                throw new InvalidMetadata("the document is not a JSON object");
            }
            return new MetadataReader(object);
        } catch (JsonSyntaxError noJson) {
            throw new InvalidMetadata("the document is not JSON");
        }
    }

    /// A member of any type; null if there is none.
    @Nullable
    JsonView member(String name) {
        JsonView member = object.member(name);
        return member == null || member.isNull() ? null : member;
    }

    @Nullable
    String text(String name) throws InvalidMetadata {
        JsonView member = member(name);
        return member == null ? null : text(name, member);
    }

    private static String text(String name, JsonView member) throws InvalidMetadata {
        String text = member.length() > MAX_TEXT ? null : member.string();
        if (text == null) {
            throw new InvalidMetadata(
                    member.isString() ? name + " is longer than " + MAX_TEXT + " bytes" : name + " is not a string");
        }
        return text;
    }

    /// A text that must be there and must not be blank.
    String requiredText(String name) throws InvalidMetadata {
        String text = text(name);
        if (text == null || text.isBlank()) {
            throw new InvalidMetadata(name + " is missing");
        }
        return text;
    }

    /// A URL of HTTP; null if there is none.
    @Nullable
    URI url(String name) throws InvalidMetadata {
        String text = text(name);
        if (text == null) {
            return null;
        }
        try {
            return OAuthTargets.parse(text);
        } catch (InvalidMetadata wrong) {
            throw new InvalidMetadata(name + ": " + wrong.reason());
        }
    }

    /// The strings of an array; null if there is none.
    @Nullable
    List<String> texts(String name) throws InvalidMetadata {
        JsonView member = member(name);
        if (member == null) {
            return null;
        }
        if (!member.isArray()) {
            throw new InvalidMetadata(name + " is not an array");
        }
        List<String> texts = new ArrayList<>();
        for (JsonView element : member.elements()) {
            if (texts.size() == MAX_ELEMENTS) {
                throw new InvalidMetadata(name + " has more than " + MAX_ELEMENTS + " elements");
            }
            texts.add(text("an element of " + name, element));
        }
        return List.copyOf(texts);
    }

    /// Whether the member is true; false if there is none.
    boolean isTrue(String name) throws InvalidMetadata {
        JsonView member = member(name);
        if (member != null && !member.isTrue() && !member.json().equals("false")) {
            throw new InvalidMetadata(name + " is not true or false");
        }
        return member != null && member.isTrue();
    }
}
