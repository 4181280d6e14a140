package io.strowger.core.destination;

import io.strowger.core.resource.Disclosure;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import org.jspecify.annotations.Nullable;

/**
 * A finished call with everything that is known of it, from which each destination is sent what it
 * may know. One thread.
 */
final class TracedCall {
  private static final int OTHERS_BYTES = 1024; // of a trace without its content, about

  private final CallTrace all;
  private @Nullable String input; // these two made when a filter first looks
  private @Nullable String output;

  TracedCall(CallTrace all) {
    this.all = all;
  }

  CallTrace all() {
    return all;
  }

  /** Returns what a destination with this disclosure is sent. */
  CallTrace disclosed(Disclosure to) {
    CallTrace.Details known = all.details();
    var told =
        new CallTrace.Details(
            to.identity() ? known.identity() : null,
            to.requestContext() ? known.context() : null,
            to.privacyMode() ? null : known.content());
    return all.with(to.cost() ? all.cost() : null, told);
  }

  /** Returns about how much memory a trace takes while it waits. */
  static long bytes(CallTrace trace) {
    CallTrace.Content content = trace.details().content();
    return OTHERS_BYTES
        + trace.span().metadata().writtenLength()
        + (content == null
            ? 0L
            : (long) content.input().writtenLength() + content.output().writtenLength());
  }

  /** Returns what the messages say, one below the other. */
  String input() {
    String made = input;
    if (made == null) {
      CallTrace.Content content = all.details().content();
      made = content == null ? "" : said(content.input(), null);
      input = made;
    }
    return made;
  }

  /** Returns what the choices say, one below the other. */
  String output() {
    String made = output;
    if (made == null) {
      CallTrace.Content content = all.details().content();
      made = content == null ? "" : said(content.output(), "message");
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
