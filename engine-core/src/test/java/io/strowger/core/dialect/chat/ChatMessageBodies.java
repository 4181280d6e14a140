package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.list;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;

import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.spi.json.Json;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Generates valid messages, parts and tools of the chat dialect. */
public final class ChatMessageBodies {
  static final Arbitrary<Json> CACHE =
      oneOf(
          "{'type':'ephemeral'}",
          "{'type':'ephemeral','ttl':'5m'}",
          "{'ttl':'1h','type':'ephemeral','x':1}");

  private static final Arbitrary<Json> FORMAT =
      oneOf("'unknown'", "'anthropic-claude-v1'", "'google-gemini-v1'", "null");

  private ChatMessageBodies() {}

  /** Generates messages of every role. */
  public static Arbitrary<Json> message() {
    return Arbitraries.oneOf(
        messageOf("'system'", content(textPart())),
        messageOf("'developer'", content(textPart())),
        messageOf("'user'", content(part())),
        messageOf("'user'", content(part())),
        assistant(),
        assistant(),
        toolResult());
  }

  private static Arbitrary<Json> messageOf(String role, Arbitrary<Json> content) {
    return jsonOf(
        ObjectArbitrary.object()
            .always("role", oneOf(role))
            .always("content", content)
            .sometimes("name", text(0, 8))
            .sometimes("unknown", anything()));
  }

  private static Arbitrary<Json> jsonOf(ObjectArbitrary object) {
    return object.build().map(json -> json);
  }

  private static Arbitrary<Json> content(Arbitrary<Json> part) {
    return Arbitraries.oneOf(text(0, 20), list(part, 0, 3));
  }

  private static Arbitrary<Json> assistant() {
    return jsonOf(
        ObjectArbitrary.object()
            .sometimes("tool_calls", list(toolCall(), 0, 3))
            .always("role", oneOf("'assistant'"))
            .sometimes("content", Arbitraries.oneOf(content(part()), oneOf("null")))
            .sometimes("name", text(0, 8))
            .sometimes("model", text(0, 8))
            .sometimes("refusal", oneOf("'no'", "null"))
            .sometimes("reasoning", oneOf("'because'", "''", "null"))
            .sometimes("reasoning_details", list(reasoningDetail(), 0, 3))
            .sometimes(
                "images",
                oneOf("[]", "[{'image_url':{'url':'https://u','x':1},'type':'image_url'}]"))
            .sometimes("audio", oneOf("{}", "{'id':'a','data':'','expires_at':1,'transcript':'t'}"))
            .sometimes("annotations", anything())
            .sometimes("unknown", anything()));
  }

  private static Arbitrary<Json> toolResult() {
    return jsonOf(
        ObjectArbitrary.object()
            .always("role", oneOf("'tool'"))
            .always("content", content(part()))
            .always("tool_call_id", text(0, 8))
            .sometimes("unknown", anything()));
  }

  private static Arbitrary<Json> toolCall() {
    Arbitrary<Json.Obj> function =
        ObjectArbitrary.object()
            .always("arguments", oneOf("'{}'", "''", "'not json {'", "'{ }'"))
            .always("name", text(0, 8))
            .sometimes("unknown", anything())
            .build();
    return jsonOf(
        ObjectArbitrary.object()
            .always("id", text(0, 8))
            .always("type", oneOf("'function'"))
            .always("function", function)
            .sometimes("index", oneOf("0")));
  }

  /** Generates items of {@code reasoning_details}. */
  public static Arbitrary<Json> reasoningDetail() {
    return Arbitraries.oneOf(
            detail("'reasoning.text'")
                .sometimes("text", oneOf("'t'", "''", "null"))
                .sometimes("signature", oneOf("'s'", "null"))
                .build(),
            detail("'reasoning.summary'").always("summary", text(0, 8)).build(),
            detail("'reasoning.encrypted'").always("data", text(0, 8)).build(),
            detail("'reasoning.server_tool_call'")
                .always("tool_name", text(0, 8))
                .always("arguments", anything())
                .always("result", anything())
                .sometimes("tool_call_id", text(0, 8))
                .build())
        .map(json -> json);
  }

  private static ObjectArbitrary detail(String type) {
    return ObjectArbitrary.object()
        .always("type", oneOf(type))
        .sometimes("id", oneOf("'i'", "null"))
        .sometimes("index", oneOf("0", "3"))
        .sometimes("format", FORMAT)
        .sometimes("unknown", anything());
  }

  /** Generates content parts of every type. */
  public static Arbitrary<Json> part() {
    return Arbitraries.oneOf(
        textPart(),
        partWith("'image_url'", "image_url", image()),
        partWith(
            "'input_audio'",
            "input_audio",
            ObjectArbitrary.object()
                .always("data", text(0, 8))
                .always("format", oneOf("'wav'", "'mp3'"))),
        partWith("'video_url'", "video_url", ObjectArbitrary.object().always("url", address())),
        partWith("'input_video'", "video_url", ObjectArbitrary.object().always("url", address())),
        partWith(
            "'file'",
            "file",
            ObjectArbitrary.object()
                .sometimes("filename", text(0, 8))
                .sometimes("file_data", text(0, 8))
                .sometimes("file_id", text(0, 8))));
  }

  private static ObjectArbitrary image() {
    return ObjectArbitrary.object()
        .sometimes("detail", oneOf("'auto'", "'low'", "'high'", "'original'"))
        .always("url", address());
  }

  private static Arbitrary<Json> partWith(String type, String name, ObjectArbitrary inner) {
    return jsonOf(
        ObjectArbitrary.object()
            .sometimes("unknown", anything())
            .always("type", oneOf(type))
            .always(name, inner.sometimes("unknown", anything()).build()));
  }

  private static Arbitrary<Json> textPart() {
    return jsonOf(
        ObjectArbitrary.object()
            .always("type", oneOf("'text'"))
            .always("text", text(0, 20))
            .sometimes("cache_control", CACHE)
            .sometimes("prompt_cache_breakpoint", oneOf("null", "{'mode':'explicit'}"))
            .sometimes("unknown", anything()));
  }

  /** Generates tools of the caller and of the gateway. */
  public static Arbitrary<Json> tool() {
    Arbitrary<Json.Obj> function =
        ObjectArbitrary.object()
            .sometimes("strict", oneOf("true", "false", "null"))
            .always("name", oneOf("'f'", "'" + "N-_0".repeat(16) + "'"))
            .sometimes("description", text(0, 8))
            .sometimes("parameters", oneOf("{}", "{'type':'object','properties':{'a':{}}}"))
            .sometimes("unknown", anything())
            .build();
    return Arbitraries.oneOf(
        jsonOf(
            ObjectArbitrary.object()
                .always("type", oneOf("'function'"))
                .sometimes("cache_control", CACHE)
                .always("function", function)
                .sometimes("unknown", anything())),
        oneOf(
            "{'type':'router:datetime'}",
            "{'type':'router:datetime','parameters':{'timezone':'Europe/Berlin'}}",
            "{'type':'router:web_search','parameters':{'max_results':5,'allowed_domains':['a.b']}}",
            "{'type':'web_search_preview','max_results':5}",
            "{'type':'router:bash','parameters':{'engine':'auto'}}"));
  }

  private static Arbitrary<Json> address() {
    return oneOf("'https://a.example/b'", "'data:image/png;base64,QQ=='", "'gs:b'");
  }
}
