package dev.fusebox.gateway.extension;

import dev.fusebox.gateway.catalog.ToolUi;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Splice;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The replacement of a server's addresses in one of its messages by those that clients see. Of several members with
/// one name all are replaced, since parsers differ in which one they take. For one thread; nothing blocks.
public final class AddressEdits {
    private final ServerAddresses addresses;
    private final String server;
    private final @Nullable String asked;
    private final Splice splice;
    private boolean isChanged;

    /// @param message to be changed
    public AddressEdits(ServerAddresses addresses, String server, JsonView message) {
        this(addresses, server, null, message);
    }

    /// @param asked the address in the request, if the server has it under the same one; null otherwise
    AddressEdits(ServerAddresses addresses, String server, @Nullable String asked, JsonView message) {
        this.addresses = addresses;
        this.server = server;
        this.asked = asked;
        this.splice = Splice.of(message);
    }

    /// Whether anything was replaced.
    public boolean isChanged() {
        return isChanged;
    }

    /// The changes, to which others can be added.
    public Splice splice() {
        return splice;
    }

    private static void each(JsonView object, String name, Consumer<JsonView> action) {
        object.forEachMember((member, value) -> {
            if (member.equals(name)) {
                action.accept(value);
            }
        });
    }

    private void replace(JsonView value, UnaryOperator<String> shown) {
        String own = value.string();
        String other = own == null ? null : shown.apply(own);
        if (other != null && !other.equals(own)) {
            splice.replace(value, JsonWriter.quoted(other));
            isChanged = true;
        }
    }

    private String shown(String own) {
        return isAsked(own) ? own : addresses.shown(server, own);
    }

    /// Whether the client knows the address as that of this server, because it has asked for it or for the skill or
    /// the directory in which it is. The server need not have listed it.
    private boolean isAsked(String own) {
        if (asked == null || !(own.equals(asked) || own.startsWith(SkillRoots.orDirectory(asked) + "/"))) {
            return false;
        }
        ServerAddresses.Target target = addresses.target(own);
        return target == null || target.equals(new ServerAddresses.Target(server, own));
    }

    private String rendered(String own) {
        return addresses.rendered(server, own);
    }

    // ---- Parts of messages

    /// The member with an address.
    void address(JsonView object) {
        each(object, "uri", uri -> replace(uri, this::shown));
    }

    /// A list of objects with an address each.
    void addressesIn(JsonView object, String list) {
        each(object, list, elements -> elements.elements().forEach(this::address));
    }

    /// The resource with which a tool or a result is rendered, in `_meta`.
    public void rendering(JsonView object) {
        each(object, "_meta", meta -> {
            each(meta, ToolUi.FLAT_KEY, uri -> replace(uri, this::rendered));
            each(meta, "ui", ui -> each(ui, "resourceUri", uri -> replace(uri, this::rendered)));
        });
    }

    /// One content block, which can be a link to a resource or contain one.
    void content(JsonView block) {
        String type = block.string("type");
        if ("resource_link".equals(type)) {
            address(block);
        } else if ("resource".equals(type)) {
            each(block, "resource", this::address);
        }
    }

    /// An entry in the list of skills, with the files of the skill.
    public void skill(JsonView skill) {
        address(skill);
        addressesIn(skill, "resources");
    }

    // ---- Results

    /// The result of a request.
    ///
    /// @param method of the request
    void result(String method, JsonView result) {
        switch (method) {
            case "tools/call" -> {
                rendering(result);
                each(result, "content", blocks -> blocks.elements().forEach(this::content));
            }
            case "prompts/get" ->
                each(
                        result,
                        "messages",
                        messages -> messages.elements().forEach(message -> each(message, "content", this::content)));
            case "resources/read" -> addressesIn(result, "contents");
            case "resources/directory/read" -> addressesIn(result, "resources");
            case "skills/get" -> each(result, "skill", this::skill);
            default -> {
                // Contains no addresses.
            }
        }
    }
}
