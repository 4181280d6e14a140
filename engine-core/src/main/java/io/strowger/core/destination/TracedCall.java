package io.strowger.core.destination;

import io.strowger.core.resource.Disclosure;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import org.jspecify.annotations.Nullable;

/**
 * A finished call with all of its data, from which the part that each destination may see is taken.
 * Confined to one thread.
 */
final class TracedCall {
  private static final int BASE_BYTES = 1024; // approximate, of a trace without its content
  private static final int VALUE_BYTES = 16; // approximate, of a value without its text

  private final CallTrace trace;
  private final @Nullable CallContent content;
  private @Nullable String input; // null until a filter reads it
  private @Nullable String output; // null until a filter reads it
  private @Nullable Disclosure lastDisclosure; // the argument of the last disclosed() call
  private @Nullable QueuedCall lastDisclosed; // its result

  /**
   * @param trace all data of the call except its content
   * @param content the content; null when no destination needs it
   */
  TracedCall(CallTrace trace, @Nullable CallContent content) {
    this.trace = trace;
    this.content = content;
  }

  /** Returns all data of the call except its content. */
  CallTrace trace() {
    return trace;
  }

  /**
   * Returns the part of the call that a destination with this disclosure receives. Consecutive
   * destinations with the same disclosure share one instance.
   */
  QueuedCall disclosed(Disclosure disclosure) {
    QueuedCall previous = lastDisclosed;
    if (previous != null && disclosure.equals(lastDisclosure)) {
      return previous;
    }
    QueuedCall call = disclose(disclosure);
    lastDisclosure = disclosure;
    lastDisclosed = call;
    return call;
  }

  private QueuedCall disclose(Disclosure disclosure) {
    CallTrace.Details allDetails = trace.details();
    var details =
        new CallTrace.Details(
            disclosure.identity() ? allDetails.identity() : null,
            disclosure.requestContext() ? allDetails.context() : null,
            null);
    CallContent visibleContent = disclosure.privacyMode() ? null : content;
    long bytes =
        BASE_BYTES
            + size(trace.span().metadata())
            + (visibleContent == null ? 0 : visibleContent.bytes());
    return new QueuedCall(
        trace.with(disclosure.cost() ? trace.cost() : null, details), visibleContent, bytes);
  }

  /** Returns about how much memory content takes. Allocates nothing. */
  static long bytes(CallTrace.Content content) {
    return size(content.input()) + size(content.output());
  }

  /**
   * Estimates the size of a value in bytes. The exact length would require writing the values for
   * each destination.
   */
  private static long size(Json value) {
    return switch (value) {
      case Json.Str text -> VALUE_BYTES + (long) text.utf8Bound();
      case Json.Num number -> VALUE_BYTES + (long) number.writtenLength();
      case Json.Arr items -> {
        long sum = VALUE_BYTES;
        for (int i = 0; i < items.size(); i++) {
          sum += size(items.get(i));
        }
        yield sum;
      }
      case Json.Obj members -> {
        long sum = VALUE_BYTES;
        for (int i = 0; i < members.size(); i++) {
          sum += members.name(i).length() + size(members.value(i));
        }
        yield sum;
      }
      case Json.Bool flag -> VALUE_BYTES;
      case Json.Null nothing -> VALUE_BYTES;
    };
  }

  /** Returns the text of the messages, one below the other. */
  String input() {
    String text = input;
    if (text == null) {
      text = content == null ? "" : joinedText(content.get().input(), null);
      input = text;
    }
    return text;
  }

  /** Returns the text of the choices, one below the other. */
  String output() {
    String text = output;
    if (text == null) {
      text = content == null ? "" : joinedText(content.get().output(), "message");
      output = text;
    }
    return text;
  }

  private static String joinedText(Json.Arr items, @Nullable String wrapper) {
    var text = new StringBuilder();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Json.Obj item) {
        Json.Obj message = wrapper == null ? item : item.object(wrapper);
        String messageText = message == null ? null : message.text("content");
        if (messageText != null && !messageText.isEmpty()) {
          text.append(text.isEmpty() ? "" : "\n").append(messageText);
        }
      }
    }
    return text.toString();
  }
}
