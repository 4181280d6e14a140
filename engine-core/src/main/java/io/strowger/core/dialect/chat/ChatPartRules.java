package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.Objects;

/**
 * The rules for {@code content}: a string, or parts with a table for each type. Chat fact sheet,
 * section 3. A part of a type that is not listed there is rejected.
 */
final class ChatPartRules {
  private static final Rule<Part> TEXT =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required("text", string())
              .optional("cache_control", SharedMembers.CACHE_CONTROL)
              .optional("prompt_cache_breakpoint", SharedMembers.EXPLICIT_CACHE.orNull())
              .build(),
          ChatPartRules::text);

  private static final Rule<Part> IMAGE =
      MemberTable.mapped(
          objectMember(
              "image_url",
              MemberTable.<Json.Obj>table()
                  .required("url", MediaAddress.RULE)
                  .optional("detail", wordAmong("auto", "low", "high", "original"))
                  .build()),
          ChatPartRules::image);

  private static final Rule<Part> AUDIO =
      MemberTable.mapped(
          objectMember(
              "input_audio",
              MemberTable.<Json.Obj>table()
                  .required("data", string())
                  .required("format", string())
                  .build()),
          ChatPartRules::audio);

  private static final Rule<Part> VIDEO =
      MemberTable.mapped(
          objectMember(
              "video_url",
              MemberTable.<Json.Obj>table().required("url", MediaAddress.RULE).build()),
          ChatPartRules::video);

  private static final Rule<Part> FILE =
      MemberTable.mapped(
          objectMember(
              "file",
              MemberTable.<Json.Obj>table()
                  .optional("filename", string())
                  .optional("file_data", string())
                  .optional("file_id", string())
                  .build()),
          ChatPartRules::file);

  private static final Union<Part> ANY_PART =
      Union.<Part>on("type")
          .when("text", TEXT)
          .when("image_url", IMAGE)
          .when("input_audio", AUDIO)
          .when("video_url", VIDEO)
          .when("input_video", VIDEO) // its legacy name
          .when("file", FILE);

  private static final Union<Part> TEXT_PART =
      Union.<Part>on("type")
          .when("text", TEXT)
          .orElse(
              (value, context) -> {
                if (value instanceof Json.Obj part) {
                  context.reject(
                      "type", "must be text, the only type allowed here", member(part, "type"));
                }
                return null;
              });

  /** A string or an array of parts of any type. */
  static final Rule<List<Part>> CONTENT = content(ANY_PART);

  /** A string or an array of text parts. */
  static final Rule<List<Part>> TEXT_CONTENT = content(TEXT_PART);

  private static final List<String> TEXT_MEMBERS = List.of("type", "text");
  private static final List<String> IMAGE_MEMBERS = List.of("type", "image_url");
  private static final List<String> AUDIO_MEMBERS = List.of("type", "input_audio");
  private static final List<String> VIDEO_MEMBERS = List.of("type", "video_url");
  private static final List<String> FILE_MEMBERS = List.of("type", "file");
  private static final List<String> URL_MEMBERS = List.of("url");
  private static final List<String> AUDIO_DATA_MEMBERS = List.of("data", "format");

  private ChatPartRules() {}

  private static Rule<List<Part>> content(Rule<Part> part) {
    return ByJsonType.<List<Part>>of("must be a string or an array of content parts")
        .string(ChatPartRules::textParts)
        .array(list(part));
  }

  private static List<Part> textParts(Json value, DecodingContext context) {
    // no source, since the JSON is the whole content, not a part
    return List.of(new Part.Text((Json.Str) value, Json.Obj.EMPTY, null));
  }

  private static MemberTable<Json.Obj> objectMember(String name, MemberTable<Json.Obj> inner) {
    return MemberTable.<Json.Obj>table().required(name, MemberTable.asJson(inner)).build();
  }

  private static Json member(Json.Obj object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  private static Json.Obj innerObject(Json.Obj object, String name) {
    return (Json.Obj) member(object, name);
  }

  private static Json.Str stringMember(Json.Obj object, String name) {
    return (Json.Str) member(object, name);
  }

  private static Part text(Json.Obj part) {
    return new Part.Text(
        stringMember(part, "text"), ChatExtras.ofComplete(part, TEXT_MEMBERS), part);
  }

  private static Part image(Json.Obj part) {
    Json.Obj image = innerObject(part, "image_url");
    return new Part.Image(
        stringMember(image, "url"),
        ChatExtras.of(part, IMAGE_MEMBERS, ChatExtras.ofComplete(image, URL_MEMBERS)),
        part);
  }

  private static Part audio(Json.Obj part) {
    Json.Obj audio = innerObject(part, "input_audio");
    return new Part.Audio(
        stringMember(audio, "data"),
        stringMember(audio, "format").text(),
        ChatExtras.of(part, AUDIO_MEMBERS, ChatExtras.ofComplete(audio, AUDIO_DATA_MEMBERS)),
        part);
  }

  private static Part video(Json.Obj part) {
    Json.Obj video = innerObject(part, "video_url");
    return new Part.Video(
        stringMember(video, "url"),
        ChatExtras.of(part, VIDEO_MEMBERS, ChatExtras.ofComplete(video, URL_MEMBERS)),
        part);
  }

  private static Part file(Json.Obj part) {
    return new Part.File(
        innerObject(part, "file"), ChatExtras.ofComplete(part, FILE_MEMBERS), part);
  }
}
