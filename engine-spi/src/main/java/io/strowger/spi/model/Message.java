package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation. Immutable. A message that was read keeps its source until it is
 * changed. Each of its parts keeps a source of its own until that part is changed.
 */
public final class Message {
  private final Role role;
  private final List<Part> parts;
  private final ContentForm contentForm;
  private final Json.Obj extras;
  private final @Nullable Json source;

  /** The role of the author of a message. */
  public enum Role {
    SYSTEM,
    DEVELOPER,
    USER,
    ASSISTANT,
    TOOL;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The form the content had on the wire. */
  public enum ContentForm {
    /** One string. */
    STRING,
    /** A list of parts. */
    LIST,
    /** An explicit null. */
    NULL,
    /** The member is absent. */
    ABSENT
  }

  /**
   * @param parts content parts in order, then tool calls; not copied, must not be modified
   *     afterwards
   * @param extras members of the message that have no typed form
   * @param source what the message was read from; null when it was made here
   */
  public Message(
      Role role,
      List<Part> parts,
      ContentForm contentForm,
      Json.Obj extras,
      @Nullable Json source) {
    this.role = Objects.requireNonNull(role, "role");
    this.parts = parts;
    this.contentForm = contentForm;
    this.extras = extras;
    this.source = source;
  }

  /** Returns a message with one text. */
  public static Message text(Role role, String text) {
    return new Message(
        role, List.of(new Part.Text(text)), ContentForm.STRING, Json.Obj.EMPTY, null);
  }

  public Role role() {
    return role;
  }

  /** Returns the content parts in order, then the tool calls. Unmodifiable. */
  public List<Part> parts() {
    return parts;
  }

  public ContentForm contentForm() {
    return contentForm;
  }

  public Json.Obj extras() {
    return extras;
  }

  /** Returns what the message was read from; null when it was changed or made here. */
  public @Nullable Json source() {
    return source;
  }

  /**
   * Returns this message with other parts. Several content parts, or one that is not text, make the
   * content a list; a message that has no content and gets none keeps its form. Tool calls,
   * reasoning and the like are not content. In a message without a content member, results of tools
   * and {@linkplain Part.Unknown parts without a typed form} are not content either.
   */
  public Message withParts(List<Part> newParts) {
    return new Message(role, List.copyOf(newParts), contentFormOf(newParts), extras, null);
  }

  private ContentForm contentFormOf(List<Part> newParts) {
    var contentParts = newParts.stream().filter(part -> !isOutsideContent(part)).toList();
    boolean keepsForm =
        switch (contentForm) {
          case STRING -> contentParts.size() == 1 && contentParts.getFirst() instanceof Part.Text;
          case NULL -> contentParts.isEmpty();
          case ABSENT -> contentParts.stream().allMatch(Message::needsNoContent);
          case LIST -> true;
        };
    return keepsForm ? contentForm : ContentForm.LIST;
  }

  /** Returns whether a part is not content. A dialect that has it in the content writes a list. */
  private static boolean isOutsideContent(Part part) {
    return switch (part) {
      case Part.ToolCall p -> true;
      case Part.Thinking p -> true;
      case Part.Refusal p -> true;
      case Part.Citation p -> true;
      case Part.Logprobs p -> true;
      case Part.ServerToolRun p -> true;
      case Part.Text p -> false;
      case Part.Image p -> false;
      case Part.Audio p -> false;
      case Part.Video p -> false;
      case Part.File p -> false;
      case Part.ToolResult p -> false;
      case Part.Unknown p -> false;
    };
  }

  private static boolean needsNoContent(Part part) {
    return part instanceof Part.ToolResult || part instanceof Part.Unknown;
  }
}
