package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Limits the content of a call before another exporter writes it: at most {@link #MAX_BYTES} of
 * UTF-8 text of the input, and the same for the output. Otherwise a prompt of 100 MB would be
 * copied by every step between here and the socket. The text that crosses the limit ends in {@link
 * #MARKER}, and nothing follows it. Immutable.
 */
final class ContentLimitingExporter implements DestinationExporter {
  static final int MAX_BYTES = 4 << 20;

  static final String MARKER = "... [cut by the gateway: content is sent up to 4 MiB]";

  private final DestinationExporter exporter;

  ContentLimitingExporter(DestinationExporter exporter) {
    this.exporter = exporter;
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    return exporter.export(calls.stream().map(ContentLimitingExporter::limited).toList(), now);
  }

  @Override
  public ConnectionTest test(Instant now) {
    return exporter.test(now);
  }

  @Override
  public long rejected(byte[] answer) {
    return exporter.rejected(answer);
  }

  private static CallTrace limited(CallTrace call) {
    CallTrace.Details details = call.details();
    if (!(details.content() instanceof CallTrace.Content content)) {
      return call;
    }
    Json.Arr input = limited(content.input());
    Json.Arr output = limited(content.output());
    return input == content.input() && output == content.output()
        ? call
        : call.with(
            call.cost(),
            new CallTrace.Details(
                details.identity(), details.context(), new CallTrace.Content(input, output)));
  }

  /** Returns a list cut to the limit; the same list when it is within the limit. */
  private static Json.Arr limited(Json.Arr items) {
    return size(items, MAX_BYTES) <= MAX_BYTES ? items : new Shortener().list(items);
  }

  /**
   * Returns the approximate size of a value as JSON, in bytes; stops counting beyond {@code max}.
   */
  private static long size(Json value, long most) {
    return switch (value) {
      case Json.Str text -> text.utf8Bound() + 2L;
      case Json.Num number -> number.spelling().length();
      case Json.Bool flag -> 5;
      case Json.Null none -> 4;
      case Json.Arr array -> {
        long size = 2;
        for (int i = 0; i < array.size() && size <= most; i++) {
          size += 1 + size(array.get(i), most);
        }
        yield size;
      }
      case Json.Obj object -> {
        long size = 2;
        for (int i = 0; i < object.size() && size <= most; i++) {
          size += object.name(i).length() + 4 + size(object.value(i), most);
        }
        yield size;
      }
    };
  }

  /**
   * Copies a list up to the limit. Text lengths are exact unless a text has escapes. Each instance
   * is for one list and one thread.
   */
  private static final class Shortener {
    /** Members whose short texts are never cut, because they identify a message. */
    private static final Set<String> KEPT =
        Set.of("role", "type", "id", "name", "tool_call_id", "finish_reason");

    private static final int SHORT = 256;

    private long left = MAX_BYTES;
    private boolean cut; // set when the marker is written; later values are left out

    Json.Arr list(Json.Arr items) {
      var kept = new ArrayList<Json>();
      for (int i = 0; i < items.size() && !cut; i++) {
        kept.add(value(items.get(i)));
        left--; // the comma
      }
      return Json.array(kept);
    }

    private Json.Obj object(Json.Obj object) {
      Json.Obj.Builder kept = Json.object();
      left -= 2;
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        Json value = object.value(i);
        if (KEPT.contains(name) && value instanceof Json.Str text && text.utf8Bound() <= SHORT) {
          left -= size(text, SHORT);
          kept.put(name, text);
        } else if (!cut) {
          kept.put(name, value(value));
        }
        left -= name.length() + 4;
      }
      return kept.build();
    }

    private Json value(Json value) {
      return switch (value) {
        case Json.Str text -> text(text);
        case Json.Arr array -> list(array);
        case Json.Obj object -> object(object);
        case Json.Num number -> {
          left -= size(number, MAX_BYTES);
          yield number;
        }
        case Json.Bool flag -> flag;
        case Json.Null none -> none;
      };
    }

    private Json.Str text(Json.Str text) {
      left -= size(text, MAX_BYTES);
      if (left >= 0) {
        return text;
      }
      cut = true;
      long most = Math.max(0, left + size(text, MAX_BYTES));
      byte[] bytes = text.beginning((int) most).getBytes(StandardCharsets.UTF_8);
      int end = (int) Math.min(most, bytes.length);
      while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
        end--; // to where a character begins
      }
      return Json.of(new String(bytes, 0, end, StandardCharsets.UTF_8) + MARKER);
    }
  }
}
