package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.JsonCodec.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

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

  JsonFilter(TextFilter filter, JsonCodec codec, Findings findings) {
    this.filter = filter;
    this.codec = codec;
    this.findings = findings;
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
    String changed = filter.filtered(said, user, findings);
    return changed.equals(said) ? text : Json.of(changed);
  }

  /** Texts behind each other that are read as one; the very same when nothing has to go. */
  List<String> texts(List<String> texts, boolean user) {
    return filter.filtered(texts, user, findings);
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
    Json.Obj changed = obj;
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
        changed = changed.with(name, filtered);
      }
    }
    return changed;
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
    Json.Obj changed = obj;
    for (int i = 0; i < obj.size(); i++) {
      Json filtered = wire(obj.value(i));
      if (filtered != obj.value(i)) {
        changed = changed.with(obj.name(i), filtered);
      }
    }
    return changed;
  }

  /** What somebody gave: every text, every number and every name in it counts. */
  Json given(Json json) {
    return switch (json) {
      case Json.Obj obj -> given(obj);
      case Json.Arr arr -> items(arr, true);
      case Json.Str str -> text(str, false);
      case Json.Num num -> {
        String changed = filter.filtered(num.spelling(), false, findings);
        yield changed.equals(num.spelling()) ? num : Json.of(changed);
      }
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  private Json.Obj given(Json.Obj obj) {
    Json.Obj.Builder built = Json.object();
    boolean changed = false;
    for (int i = 0; i < obj.size(); i++) {
      String name = filter.filtered(obj.name(i), false, findings);
      Json value = given(obj.value(i));
      changed |= value != obj.value(i) || !name.equals(obj.name(i));
      built.put(name.equals(obj.name(i)) ? name : free(name, obj, i), value);
    }
    return changed ? built.build() : obj;
  }

  /** Names that become alike would be one member: the place tells them apart. */
  private static String free(String name, Json.Obj obj, int place) {
    String free = name;
    for (int i = 0; obj.has(free) || i == 0; i++) {
      free = name + " " + (place + 1 + i);
    }
    return free;
  }

  private Json.Arr items(Json.Arr arr, boolean given) {
    Json.Arr changed = arr;
    for (int i = 0; i < arr.size(); i++) {
      Json value = arr.get(i);
      Json filtered = given ? given(value) : wire(value);
      if (filtered != value) {
        changed = changed.with(i, filtered);
      }
    }
    return changed;
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
    String across = filter.filtered(result, false, findings);
    if (!across.equals(result)) {
      return Json.of(replacement().toString());
    }
    return changed == parsed ? written : Json.of(result);
  }

  /** The same of arguments that are JSON already. */
  Json value(Json value) {
    Json changed = given(value);
    String written = new String(changed.toBytes(), StandardCharsets.UTF_8);
    return filter.filtered(written, false, findings).equals(written) ? changed : replacement();
  }

  private static Json.Obj replacement() {
    return Json.object().put("arguments", "[REDACTED]").build();
  }
}
