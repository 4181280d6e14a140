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
  private static final int OTHERS_BYTES = 1024; // approximate, of a trace without its content
  private static final int VALUE_BYTES = 16; // approximate, of a value without its text

  private final CallTrace all;
  private final @Nullable CallContent content;
  private @Nullable String input; // both computed when a filter first reads them
  private @Nullable String output;
  private @Nullable Disclosure lastDisclosure; // both of the previous destination
  private @Nullable QueuedCall lastDisclosed;

  /**
   * @param all the trace of the call without content
   * @param content the content; null when no destination needs it
   */
  TracedCall(CallTrace all, @Nullable CallContent content) {
    this.all = all;
    this.content = content;
  }

  /** Returns the trace of the call without its content. */
  CallTrace all() {
    return all;
  }

  /**
   * Returns the part of the call that a destination with this disclosure receives. Consecutive
   * destinations with the same disclosure share one instance.
   */
  QueuedCall disclosed(Disclosure to) {
    QueuedCall last = lastDisclosed;
    if (last != null && to.equals(lastDisclosure)) {
      return last;
    }
    QueuedCall made = disclose(to);
    lastDisclosure = to;
    lastDisclosed = made;
    return made;
  }

  private QueuedCall disclose(Disclosure to) {
    CallTrace.Details known = all.details();
    var told =
        new CallTrace.Details(
            to.identity() ? known.identity() : null,
            to.requestContext() ? known.context() : null,
            null);
    CallContent said = to.privacyMode() ? null : content;
    long bytes = OTHERS_BYTES + size(all.span().metadata()) + (said == null ? 0 : said.bytes());
    return new QueuedCall(all.with(to.cost() ? all.cost() : null, told), said, bytes);
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
    String made = input;
    if (made == null) {
      made = content == null ? "" : said(content.get().input(), null);
      input = made;
    }
    return made;
  }

  /** Returns the text of the choices, one below the other. */
  String output() {
    String made = output;
    if (made == null) {
      made = content == null ? "" : said(content.get().output(), "message");
      output = made;
    }
    return made;
  }

  private static String said(Json.Arr items, @Nullable String inside) {
    var text = new StringBuilder();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i) instanceof Json.Obj item) {
        Json.Obj message = inside == null ? item : item.object(inside);
        String said = message == null ? null : message.text("content");
        if (said != null && !said.isEmpty()) {
          text.append(text.isEmpty() ? "" : "\n").append(said);
        }
      }
    }
    return text.toString();
  }
}
