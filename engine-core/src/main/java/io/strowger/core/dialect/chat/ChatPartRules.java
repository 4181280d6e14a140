package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * The rules for {@code content}: a string, or parts with a table for each type. Chat fact sheet,
 * section 3. A part of a type that is not listed there is rejected.
 */
final class ChatPartRules {
  private static final Rule<Part> TEXT =
      members()
          .required("text", string())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .optional("prompt_cache_breakpoint", SharedMembers.EXPLICIT_CACHE.orNull())
          .as(ChatPartRules::text);

  private static final Rule<Part> IMAGE =
      members()
          .required(
              "image_url",
              members()
                  .required("url", MediaAddress.RULE)
                  .optional("detail", wordAmong("auto", "low", "high", "original"))
                  .asJson())
          .as(ChatPartRules::image);

  private static final Rule<Part> AUDIO =
      members()
          .required(
              "input_audio",
              members().required("data", string()).required("format", string()).asJson())
          .as(ChatPartRules::audio);

  private static final Rule<Part> VIDEO =
      members()
          .required("video_url", members().required("url", MediaAddress.RULE).asJson())
          .as(ChatPartRules::video);

  private static final Rule<Part> FILE =
      members()
          .required(
              "file",
              members()
                  .optional("filename", string())
                  .optional("file_data", string())
                  .optional("file_id", string())
                  .asJson())
          .as(ChatPartRules::file);

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
                      "type",
                      "must be text, the only type allowed here",
                      RequiredMember.value(part, "type"));
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
    return SharedMembers.content("must be a string or an array of content parts", part);
  }

  private static Part text(Json.Obj part) {
    return new Part.Text(
        RequiredMember.string(part, "text"), ChatExtras.ofComplete(part, TEXT_MEMBERS), part);
  }

  private static Part image(Json.Obj part) {
    Json.Obj image = RequiredMember.object(part, "image_url");
    return new Part.Image(
        RequiredMember.string(image, "url"),
        ChatExtras.of(part, IMAGE_MEMBERS, ChatExtras.ofComplete(image, URL_MEMBERS)),
        part);
  }

  private static Part audio(Json.Obj part) {
    Json.Obj audio = RequiredMember.object(part, "input_audio");
    return new Part.Audio(
        RequiredMember.string(audio, "data"),
        RequiredMember.string(audio, "format").text(),
        ChatExtras.of(part, AUDIO_MEMBERS, ChatExtras.ofComplete(audio, AUDIO_DATA_MEMBERS)),
        part);
  }

  private static Part video(Json.Obj part) {
    Json.Obj video = RequiredMember.object(part, "video_url");
    return new Part.Video(
        RequiredMember.string(video, "url"),
        ChatExtras.of(part, VIDEO_MEMBERS, ChatExtras.ofComplete(video, URL_MEMBERS)),
        part);
  }

  private static Part file(Json.Obj part) {
    return new Part.File(
        RequiredMember.object(part, "file"), ChatExtras.ofComplete(part, FILE_MEMBERS), part);
  }
}
