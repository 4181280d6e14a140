package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.JsonCodec.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks through JSON. What comes out is JSON of the same shape: a text becomes a text, a number in
 * which something was found becomes a text, a member whose name has to go gets another name. What
 * is not touched stays the very same value and keeps its bytes.
 *
 * <p>For one request.
 */
final class JsonFilter {
  /** Members that are no words of anybody: they hold a document together. */
  private static final Set<String> STRUCTURE =
      Set.of(
          "type",
          "id",
          "role",
          "status",
          "call_id",
          "tool_call_id",
          "tool_use_id",
          "item_id",
          "file_id",
          "container_id",
          "media_type",
          "mime_type",
          "format",
          "signature",
          "encrypted_content");

  private static final String BASE64 = ";base64";

  private final TextFilter filter;
  private final JsonCodec codec;
  private final Findings findings;
  private final CooperativeScan scan;

  JsonFilter(TextFilter filter, JsonCodec codec, Findings findings, CooperativeScan scan) {
    this.filter = filter;
    this.codec = codec;
    this.findings = findings;
    this.scan = scan;
  }

  /** A text that may be an address: encoded data is no words. */
  Json.Str text(Json.Str text, boolean user) {
    return text.startsWith("data:") && isEncoded(text.text()) ? text : words(text, user);
  }

  /** A URL of base64 and nothing else; whoever only begins like one has something to say. */
  private static boolean isEncoded(String url) {
    int comma = url.indexOf(',');
    return comma > 0
        && url.startsWith(BASE64, comma - BASE64.length())
        && url.chars().skip(comma + 1L).allMatch(JsonFilter::isBase64);
  }

  private static boolean isBase64(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || "+/-_=\r\n".indexOf(c) >= 0;
  }

  /** A text that a model reads, whatever it looks like. */
  Json.Str words(Json.Str text, boolean user) {
    String said = text.text();
    String changed = filter.filtered(said, user, findings, scan);
    return changed.equals(said) ? text : Json.of(changed);
  }

  /** Texts behind each other that are read as one; the very same when nothing has to go. */
  List<String> texts(List<String> texts, boolean user) {
    return filter.filtered(texts, user, findings, scan);
  }

  /** A part of a message as its dialect has it: what holds it together stays. */
  Json wire(Json json) {
    return switch (json) {
      case Json.Obj obj -> wire(obj);
      case Json.Arr arr -> items(arr, false);
      case Json.Str str -> text(str, false);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  Json.Obj wire(Json.Obj obj) {
    Json[] changed = null;
    boolean base64 = "base64".equals(obj.text("type"));
    for (int i = 0; i < obj.size(); i++) {
      String name = obj.name(i);
      Json value = obj.value(i);
      boolean structure = value instanceof Json.Str && STRUCTURE.contains(name);
      if (structure || base64 && name.equals("data")) {
        continue;
      }
      Json filtered = member(name, value);
      if (filtered != value) {
        changed = changed == null ? new Json[obj.size()] : changed;
        changed[i] = filtered;
      }
    }
    return changed == null ? obj : with(changed, obj);
  }

  /**
   * The same members, some with other values.
   *
   * @param values by place; null where a value stays
   */
  private static Json.Obj with(@Nullable Json[] values, Json.Obj obj) {
    Json.Obj.Builder built = Json.object();
    for (int i = 0; i < obj.size(); i++) {
      Json value = values[i];
      built.put(obj.name(i), value == null ? obj.value(i) : value);
    }
    return built.build();
  }

  /** What a tool is asked and what fills a template have names that somebody chose. */
  private Json member(String name, Json value) {
    if (value instanceof Json.Str str && name.equals("arguments")) {
      return json(str);
    }
    if (value instanceof Json.Obj obj && name.equals("input")) {
      return given(obj);
    }
    return value instanceof Json.Obj obj && name.equals("variables") ? variables(obj) : wire(value);
  }

  private Json.Obj variables(Json.Obj obj) {
    Json[] changed = null;
    for (int i = 0; i < obj.size(); i++) {
      Json filtered = wire(obj.value(i));
      if (filtered != obj.value(i)) {
        changed = changed == null ? new Json[obj.size()] : changed;
        changed[i] = filtered;
      }
    }
    return changed == null ? obj : with(changed, obj);
  }

  /** What somebody gave: every text, every number and every name in it counts. */
  Json given(Json json) {
    return switch (json) {
      case Json.Obj obj -> given(obj);
      case Json.Arr arr -> items(arr, true);
      case Json.Str str -> text(str, false);
      case Json.Num num -> {
        String changed = filter.filtered(num.spelling(), false, findings, scan);
        yield changed.equals(num.spelling()) ? num : Json.of(changed);
      }
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  private Json.Obj given(Json.Obj obj) {
    Json.Obj.Builder built = Json.object();
    boolean changed = false;
    Set<String> names = null;
    int number = 0;
    for (int i = 0; i < obj.size(); i++) {
      String name = filter.filtered(obj.name(i), false, findings, scan);
      Json value = given(obj.value(i));
      changed |= value != obj.value(i) || !name.equals(obj.name(i));
      if (!name.equals(obj.name(i))) {
        names = names == null ? names(obj) : names;
        number = free(name, names, Math.max(number, i) + 1);
        name = name + " " + number;
      }
      built.put(name, value);
    }
    return changed ? built.build() : obj;
  }

  /** Names that become alike would be one member: a number tells them apart, about their place. */
  private static int free(String name, Set<String> names, int from) {
    int number = from;
    while (names.contains(name + " " + number)) {
      number++;
    }
    return number;
  }

  private static Set<String> names(Json.Obj obj) {
    var names = new HashSet<String>();
    for (int i = 0; i < obj.size(); i++) {
      names.add(obj.name(i));
    }
    return names;
  }

  private Json.Arr items(Json.Arr arr, boolean given) {
    List<Json> changed = null;
    for (int i = 0; i < arr.size(); i++) {
      Json value = arr.get(i);
      Json filtered = given ? given(value) : wire(value);
      if (filtered != value && changed == null) {
        changed = new ArrayList<>(arr.size());
        for (int j = 0; j < i; j++) {
          changed.add(arr.get(j));
        }
      }
      if (changed != null) {
        changed.add(filtered);
      }
    }
    return changed == null ? arr : Json.array(changed);
  }

  /**
   * JSON as text, such as the arguments of a call. What is found in its values is taken out of
   * them; what is found only across them takes all of it, since half of it would be no JSON. Text
   * that is no JSON is text.
   */
  Json.Str json(Json.Str written) {
    Json parsed;
    try {
      parsed = codec.parse(written.text().getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJson aModelWroteIt) {
      return text(written, false);
    }
    Json changed = given(parsed);
    String result =
        changed == parsed ? written.text() : new String(changed.toBytes(), StandardCharsets.UTF_8);
    String across = filter.filtered(result, false, findings, scan);
    if (!across.equals(result)) {
      return Json.of(replacement().toString());
    }
    return changed == parsed ? written : Json.of(result);
  }

  /** The same of arguments that are JSON already. */
  Json value(Json value) {
    Json changed = given(value);
    String written = new String(changed.toBytes(), StandardCharsets.UTF_8);
    return filter.filtered(written, false, findings, scan).equals(written)
        ? changed
        : replacement();
  }

  private static Json.Obj replacement() {
    return Json.object().put("arguments", "[REDACTED]").build();
  }
}
