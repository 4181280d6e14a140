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
    return exporter.export(calls.stream().map(ContentLimitingExporter::limit).toList(), now);
  }

  @Override
  public ConnectionTest test(Instant now) {
    return exporter.test(now);
  }

  @Override
  public long rejectedCount(byte[] answer) {
    return exporter.rejectedCount(answer);
  }

  private static CallTrace limit(CallTrace call) {
    CallTrace.Details details = call.details();
    if (!(details.content() instanceof CallTrace.Content content)) {
      return call;
    }
    Json.Arr input = limit(content.input());
    Json.Arr output = limit(content.output());
    return input == content.input() && output == content.output()
        ? call
        : call.with(
            call.cost(),
            new CallTrace.Details(
                details.identity(), details.context(), new CallTrace.Content(input, output)));
  }

  /** Returns a list cut to the limit; the same list when it is within the limit. */
  private static Json.Arr limit(Json.Arr items) {
    return size(items, MAX_BYTES) <= MAX_BYTES ? items : new Shortener().shortenList(items);
  }

  /**
   * Returns the approximate size of a value as JSON, in bytes; stops counting beyond {@code max}.
   */
  private static long size(Json value, long max) {
    return switch (value) {
      case Json.Str text -> text.utf8Bound() + 2L;
      case Json.Num number -> number.spelling().length();
      case Json.Bool flag -> 5;
      case Json.Null none -> 4;
      case Json.Arr array -> {
        long size = 2;
        for (int i = 0; i < array.size() && size <= max; i++) {
          size += 1 + size(array.get(i), max);
        }
        yield size;
      }
      case Json.Obj object -> {
        long size = 2;
        for (int i = 0; i < object.size() && size <= max; i++) {
          size += object.name(i).length() + 4 + size(object.value(i), max);
        }
        yield size;
      }
    };
  }

  /**
   * Copies a list up to the limit. The counted length of a text is exact unless the text has
   * escapes. Each instance is for one list and one thread.
   */
  private static final class Shortener {
    /** Members whose short texts are never cut, because they identify a message. */
    private static final Set<String> UNCUT_MEMBERS =
        Set.of("role", "type", "id", "name", "tool_call_id", "finish_reason");

    private static final int MAX_UNCUT_LENGTH = 256;

    private long remaining = MAX_BYTES;
    private boolean truncated; // set when the marker is written; later values are left out

    Json.Arr shortenList(Json.Arr items) {
      var copy = new ArrayList<Json>();
      for (int i = 0; i < items.size() && !truncated; i++) {
        copy.add(shortenValue(items.get(i)));
        remaining--; // the comma
      }
      return Json.array(copy);
    }

    private Json.Obj shortenObject(Json.Obj object) {
      Json.Obj.Builder copy = Json.object();
      remaining -= 2;
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        Json value = object.value(i);
        if (UNCUT_MEMBERS.contains(name)
            && value instanceof Json.Str text
            && text.utf8Bound() <= MAX_UNCUT_LENGTH) {
          remaining -= size(text, MAX_UNCUT_LENGTH);
          copy.put(name, text);
        } else if (!truncated) {
          copy.put(name, shortenValue(value));
        }
        remaining -= name.length() + 4;
      }
      return copy.build();
    }

    private Json shortenValue(Json value) {
      return switch (value) {
        case Json.Str text -> shortenText(text);
        case Json.Arr array -> shortenList(array);
        case Json.Obj object -> shortenObject(object);
        case Json.Num number -> {
          remaining -= size(number, MAX_BYTES);
          yield number;
        }
        case Json.Bool flag -> flag;
        case Json.Null none -> none;
      };
    }

    private Json.Str shortenText(Json.Str text) {
      remaining -= size(text, MAX_BYTES);
      if (remaining >= 0) {
        return text;
      }
      truncated = true;
      long maxBytes = Math.max(0, remaining + size(text, MAX_BYTES));
      byte[] bytes = text.beginning((int) maxBytes).getBytes(StandardCharsets.UTF_8);
      int end = (int) Math.min(maxBytes, bytes.length);
      while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
        end--; // to where a character begins
      }
      return Json.of(new String(bytes, 0, end, StandardCharsets.UTF_8) + MARKER);
    }
  }
}
