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
  private static final int VALUE_BYTES = 16; // of a value beside its text, about

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

  /** Returns about how much memory a trace takes while it waits. Allocates nothing. */
  static long bytes(CallTrace trace) {
    CallTrace.Content content = trace.details().content();
    return OTHERS_BYTES
        + size(trace.span().metadata())
        + (content == null ? 0L : size(content.input()) + size(content.output()));
  }

  /**
   * Not the written length: values made here would be written to learn it, for each destination.
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
