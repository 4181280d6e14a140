package io.strowger.spi.model;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Edits the texts in JSON. The result is JSON of the same shape: a text becomes a text, a number
 * that changes becomes a text, a member whose name changes gets another name. What does not change
 * stays the same instance and keeps its bytes.
 */
final class JsonTexts {
  /** Members that are the structure of a document rather than its text. */
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

  /** Members of a declaration that identify a tool, model, parameter or definition. */
  private static final Set<String> IDENTIFIERS = Set.of("name", "model", "$ref", "$id", "$anchor");

  /** Members of a schema that hold values rather than schemas. */
  private static final Set<String> VALUES =
      Set.of("const", "default", "enum", "example", "examples");

  private static final Set<String> EFFORTS =
      Set.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

  /**
   * Members of settings and declarations that take protocol keywords, with those keywords. Editing
   * a keyword would make the request invalid; any other value of such a member is a text. {@code
   * TextualMembersTest} compares this list with the decoders' tables.
   */
  private static final Map<String, Set<String>> CHOICES =
      Map.ofEntries(
          Map.entry("context", Set.of("auto", "all_turns", "current_turn")),
          Map.entry("display", Set.of("summarized", "omitted")),
          Map.entry("effort", EFFORTS),
          Map.entry(
              "engine",
              Set.of("auto", "native", "router", "exa", "parallel", "firecrawl", "perplexity")),
          Map.entry(
              "include",
              Set.of(
                  "reasoning.encrypted_content",
                  "file_search_call.results",
                  "message.input_image.image_url",
                  "computer_call_output.output.image_url",
                  "code_interpreter_call.outputs")),
          Map.entry("keep", Set.of("all")),
          Map.entry("modalities", Set.of("text", "image", "audio")),
          Map.entry(
              "mode",
              Set.of(
                  "explicit",
                  "standard",
                  "pro",
                  "instant",
                  "fast",
                  "auto",
                  "deep-lite",
                  "deep",
                  "deep-reasoning",
                  "turbo",
                  "basic",
                  "advanced")),
          Map.entry("reasoning_effort", EFFORTS),
          Map.entry("search_context_size", EFFORTS),
          Map.entry(
              "service_tier",
              Set.of("auto", "default", "fast", "flex", "priority", "scale", "standard_only")),
          Map.entry("speed", Set.of("fast", "standard")),
          Map.entry("summary", Set.of("auto", "concise", "detailed")),
          Map.entry("syntax", Set.of("lark", "regex")),
          Map.entry("truncation", Set.of("auto", "disabled")),
          Map.entry("ttl", Set.of("5m", "30m", "1h", "24h")),
          Map.entry("verbosity", EFFORTS));

  /** Members whose items are names of tools or models, or say who may call one. */
  private static final Set<String> LISTS_OF_NAMES =
      Set.of(
          "required",
          "exclude_tools",
          "clear_tool_inputs",
          "allowed_callers",
          "analysis_models",
          "inherited_function_names");

  private final TextEditor editor;

  JsonTexts(TextEditor editor) {
    this.editor = editor;
  }

  /** Edits a text that may be an address; a base64 data URL stays as it is. */
  Json.Str text(Json.Str text, TextKind kind) {
    return text.startsWith("data:") && isEncoded(text.text()) ? text : words(text, kind);
  }

  /** Returns whether a URL holds base64 and nothing else; a text may merely begin like one. */
  private static boolean isEncoded(String url) {
    int comma = url.indexOf(',');
    return comma > 0
        && url.startsWith(BASE64, comma - BASE64.length())
        && url.chars().skip(comma + 1L).allMatch(JsonTexts::isBase64);
  }

  private static boolean isBase64(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || "+/-_=\r\n".indexOf(c) >= 0;
  }

  /** Edits a text that a model reads, even one that looks like a data URL. */
  Json.Str words(Json.Str text, TextKind kind) {
    if (!editor.edits(kind)) {
      return text;
    }
    String edited = editor.edit(text.text(), kind);
    return edited.equals(text.text()) ? text : Json.of(edited);
  }

  /** Edits adjacent texts, which are read as one; returns the same list when nothing changes. */
  List<String> adjacent(List<String> texts, TextKind kind) {
    return editor.editAdjacent(texts, kind);
  }

  boolean edits(TextKind kind) {
    return editor.edits(kind);
  }

  /** Edits a part of a message in the form of its dialect, except its structure. */
  Json wire(Json json, TextKind kind) {
    return switch (json) {
      case Json.Obj obj -> wire(obj, kind);
      case Json.Arr arr -> items(arr, item -> wire(item, kind));
      case Json.Str str -> text(str, kind);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  Json.Obj wire(Json.Obj obj, TextKind kind) {
    Json[] changed = null;
    boolean base64 = "base64".equals(obj.text("type"));
    for (int i = 0; i < obj.size(); i++) {
      String name = obj.name(i);
      Json value = obj.value(i);
      boolean structure = value instanceof Json.Str && STRUCTURE.contains(name);
      if (structure || base64 && name.equals("data")) {
        continue;
      }
      Json edited = member(name, value, kind);
      if (edited != value) {
        changed = changed == null ? new Json[obj.size()] : changed;
        changed[i] = edited;
      }
    }
    return changed == null ? obj : with(changed, obj);
  }

  /**
   * Returns the same members, some with other values.
   *
   * @param values the new values by index; null where a value stays
   */
  private static Json.Obj with(@Nullable Json[] values, Json.Obj obj) {
    Json.Obj.Builder built = Json.object();
    for (int i = 0; i < obj.size(); i++) {
      Json value = values[i];
      built.put(obj.name(i), value == null ? obj.value(i) : value);
    }
    return built.build();
  }

  /** Edits a member. In arguments and template variables, no member name marks structure. */
  private Json member(String name, Json value, TextKind kind) {
    if (value instanceof Json.Str str && name.equals("arguments")) {
      return arguments(str);
    }
    if (value instanceof Json.Obj obj && name.equals("input")) {
      return given(obj, TextKind.TOOL_ARGUMENTS);
    }
    return value instanceof Json.Obj obj && name.equals("variables")
        ? variables(obj, kind)
        : wire(value, kind);
  }

  private Json.Obj variables(Json.Obj obj, TextKind kind) {
    Json[] changed = null;
    for (int i = 0; i < obj.size(); i++) {
      Json edited = wire(obj.value(i), kind);
      if (edited != obj.value(i)) {
        changed = changed == null ? new Json[obj.size()] : changed;
        changed[i] = edited;
      }
    }
    return changed == null ? obj : with(changed, obj);
  }

  /** Edits free-form JSON: every text, every number and every member name. */
  Json given(Json json, TextKind kind) {
    return switch (json) {
      case Json.Obj obj -> given(obj, kind);
      case Json.Arr arr -> items(arr, item -> given(item, kind));
      case Json.Str str -> text(str, kind);
      case Json.Num num -> {
        String changed = editor.edits(kind) ? editor.edit(num.spelling(), kind) : num.spelling();
        yield changed.equals(num.spelling()) ? num : Json.of(changed);
      }
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  private Json.Obj given(Json.Obj obj, TextKind kind) {
    Json.Obj.Builder built = Json.object();
    boolean changed = false;
    Set<String> names = null;
    int number = 0;
    for (int i = 0; i < obj.size(); i++) {
      String name = editor.edits(kind) ? editor.edit(obj.name(i), kind) : obj.name(i);
      Json value = given(obj.value(i), kind);
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

  /** Returns a number that keeps edited names distinct; equal names would become one member. */
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

  private Json.Arr items(Json.Arr arr, UnaryOperator<Json> edit) {
    List<Json> changed = null;
    for (int i = 0; i < arr.size(); i++) {
      Json value = arr.get(i);
      Json edited = edit.apply(value);
      if (edited != value && changed == null) {
        changed = new ArrayList<>(arr.size());
        for (int j = 0; j < i; j++) {
          changed.add(arr.get(j));
        }
      }
      if (changed != null) {
        changed.add(edited);
      }
    }
    return changed == null ? arr : Json.array(changed);
  }

  /**
   * Edits a declaration of a tool, a schema, or a member of the request, except the names of what
   * is called or referred to elsewhere.
   */
  Json declared(Json json, TextKind kind) {
    return switch (json) {
      case Json.Obj obj -> declared(obj, kind);
      case Json.Arr arr -> items(arr, item -> declared(item, kind));
      case Json.Str str -> text(str, kind);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  Json.Obj declared(Json.Obj obj, TextKind kind) {
    Json[] changed = null;
    for (int i = 0; i < obj.size(); i++) {
      Json value = obj.value(i);
      Json edited = declaredMember(obj.name(i), value, kind);
      if (edited != value) {
        changed = changed == null ? new Json[obj.size()] : changed;
        changed[i] = edited;
      }
    }
    return changed == null ? obj : with(changed, obj);
  }

  private Json declaredMember(String name, Json value, TextKind kind) {
    if (value instanceof Json.Str && (STRUCTURE.contains(name) || IDENTIFIERS.contains(name))
        || value instanceof Json.Arr && LISTS_OF_NAMES.contains(name)) {
      return value;
    }
    Set<String> words = CHOICES.get(name);
    if (words != null && (value instanceof Json.Str || value instanceof Json.Arr)) {
      return choice(value, words, kind);
    }
    boolean holds = VALUES.contains(name) && !(value instanceof Json.Obj obj && obj.has("type"));
    return holds ? given(value, kind) : declared(value, kind);
  }

  /** Edits a member of the request that is not part of the conversation. */
  Json setting(String name, Json member) {
    Set<String> words = CHOICES.get(name);
    return words == null
        ? declared(member, TextKind.SETTING)
        : choice(member, words, TextKind.SETTING);
  }

  /** Edits the value of a member that takes protocol keywords, except those keywords. */
  private Json choice(Json value, Set<String> words, TextKind kind) {
    return switch (value) {
      case Json.Arr list -> items(list, item -> choice(item, words, kind));
      case Json.Str word -> words.contains(word.text()) ? word : text(word, kind);
      case Json.Obj obj -> declared(obj, kind);
      case Json.Num num -> num;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }

  /** Edits arguments in either form; a text that is not valid JSON is edited as one text. */
  Arguments arguments(Arguments arguments) {
    return switch (arguments) {
      case Arguments.Text(Json.Str written) -> {
        Json.Str edited = arguments(written);
        yield edited == written ? arguments : new Arguments.Text(edited);
      }
      case Arguments.Value(Json value) -> {
        Json edited = arguments(value);
        yield edited == value ? arguments : new Arguments.Value(edited);
      }
    };
  }

  private Json.Str arguments(Json.Str written) {
    if (!editor.edits(TextKind.TOOL_ARGUMENTS)) {
      return written;
    }
    Json read = Json.parseOrNull(written.text());
    if (read == null) {
      return text(written, TextKind.TOOL_ARGUMENTS);
    }
    Json edited = given(read, TextKind.TOOL_ARGUMENTS);
    String json = edited == read ? written.text() : text(edited);
    String whole = editor.editArguments(json);
    return whole.equals(written.text()) ? written : Json.of(whole);
  }

  private Json arguments(Json value) {
    if (!editor.edits(TextKind.TOOL_ARGUMENTS)) {
      return value;
    }
    Json edited = given(value, TextKind.TOOL_ARGUMENTS);
    String json = text(edited);
    String whole = editor.editArguments(json);
    if (whole.equals(json)) {
      return edited;
    }
    Json read = Json.parseOrNull(whole);
    return read == null ? Json.object().put("arguments", whole).build() : read;
  }

  private static String text(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }
}
