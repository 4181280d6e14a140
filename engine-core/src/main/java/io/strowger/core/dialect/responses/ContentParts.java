package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.array;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.List;

/**
 * The rules for content parts. Responses fact sheet, "Input items"; {@code input_audio} and {@code
 * input_video} have the inner form of the chat fact sheet, section 3, but a video's address may
 * also be a plain string, without an object around it. Parts of an unknown type are kept.
 *
 * <p>A text keeps its {@code type} among its extras, since there are two types of text.
 */
final class ContentParts {
  private static final Rule<Part> INPUT_TEXT =
      members()
          .required("text", string())
          .optional("prompt_cache_breakpoint", SharedMembers.EXPLICIT_CACHE.orNull())
          .as(ContentParts::text);

  private static final Rule<Part> INPUT_IMAGE =
      members()
          .optional("image_url", MediaAddress.RULE.orNull())
          .optional("file_id", string().orNull())
          .optional("detail", wordAmong("auto", "low", "high", "original"))
          .addRule(
              (part, context) -> requireExactlyOne(List.of("image_url", "file_id"), part, context))
          .as(ContentParts::image);

  private static final Rule<Part> INPUT_FILE =
      members()
          .optional("file_data", string().orNull())
          .optional("file_url", MediaAddress.RULE.orNull())
          .optional("file_id", string().orNull())
          .optional("filename", string().orNull())
          .addRule(
              (part, context) ->
                  requireExactlyOne(List.of("file_data", "file_url", "file_id"), part, context))
          .as(ContentParts::file);

  private static final Rule<Json.Obj> AUDIO =
      members().required("data", string()).required("format", string()).asJson();

  private static final Rule<Part> INPUT_AUDIO =
      members().required("input_audio", AUDIO).as(ContentParts::audio);

  private static final Rule<Json.Obj> URL_OBJECT =
      members().required("url", MediaAddress.RULE).asJson();

  private static final Rule<Part> INPUT_VIDEO =
      members()
          .required(
              "video_url",
              ByJsonType.<Json>of("must be a string or an object with a url")
                  .string(MediaAddress.RULE)
                  .object(URL_OBJECT))
          .as(ContentParts::video);

  private static final Rule<Part> OUTPUT_TEXT =
      members()
          .required("text", string())
          .optional("annotations", array())
          .optional("logprobs", array().orNull())
          .as(ContentParts::text);

  private static final Rule<Part> REFUSAL =
      members().required("refusal", string()).as(ContentParts::refusal);

  private static final Union<Part> INPUT_TYPES =
      Union.<Part>on("type")
          .when("input_text", INPUT_TEXT)
          .when("input_image", INPUT_IMAGE)
          .when("input_file", INPUT_FILE)
          .when("input_audio", INPUT_AUDIO)
          .when("input_video", INPUT_VIDEO);

  static final String INPUT_ONLY_MESSAGE =
      "must be one of input_text, input_image, input_file, input_audio, input_video";

  /** The parts that a caller or a tool may send. */
  static final Rule<Part> INPUT =
      INPUT_TYPES.orElse(
          (value, context) -> {
            if (value instanceof Json.Obj part && isOutputPart(part)) {
              context.reject("type", INPUT_ONLY_MESSAGE, RequiredMember.value(part, "type"));
              return null;
            }
            return unknown(value);
          });

  /** The parts of any message, including the model's. */
  static final Union<Part> ANY_PART =
      INPUT_TYPES
          .when("output_text", OUTPUT_TEXT)
          .when("refusal", REFUSAL)
          .orElse((value, context) -> unknown(value));

  private static final List<String> FILE_MEMBERS =
      List.of("file_data", "file_url", "file_id", "filename");

  private static final Json.Obj INPUT_TEXT_TYPE = Json.object().put("type", "input_text").build();

  private ContentParts() {}

  /** Returns whether a part is of a type that only the model sends. */
  static boolean isOutputPart(Json value) {
    String type = value instanceof Json.Obj part ? part.text("type") : null;
    return "output_text".equals(type) || "refusal".equals(type);
  }

  /** Requires exactly one of several members; an explicit null counts as absent. */
  private static void requireExactlyOne(
      List<String> names, Json.Obj part, DecodingContext context) {
    long count = names.stream().filter(name -> isSet(part, name)).count();
    if (count != 1) {
      context.reject("must have exactly one of " + String.join(", ", names), part);
    }
  }

  private static boolean isSet(Json.Obj part, String name) {
    return part.has(name) && !(part.get(name) instanceof Json.Null);
  }

  private static Part text(Json.Obj part) {
    boolean isTextOnly = part.size() == 2 && "input_text".equals(part.text("type"));
    return new Part.Text(
        RequiredMember.string(part, "text"),
        isTextOnly ? INPUT_TEXT_TYPE : SharedMembers.extras(part, "text"),
        part);
  }

  private static Part refusal(Json.Obj part) {
    return new Part.Refusal(RequiredMember.string(part, "refusal"), part);
  }

  private static Part image(Json.Obj part) {
    return isSet(part, "image_url")
        ? new Part.Image(
            new Media.Url(RequiredMember.string(part, "image_url")),
            SharedMembers.extras(part, "type", "image_url"),
            part)
        : new Part.Image(
            new Media.FileId(RequiredMember.string(part, "file_id").text()),
            SharedMembers.extras(part, "type", "file_id"),
            part);
  }

  private static Part file(Json.Obj part) {
    var file = Json.object();
    for (int i = 0; i < part.size(); i++) {
      if (FILE_MEMBERS.contains(part.name(i))) {
        file.put(part.name(i), part.value(i));
      }
    }
    Json.Obj extras =
        SharedMembers.extras(part, "type", "file_data", "file_url", "file_id", "filename");
    return new Part.File(file.build(), extras, part);
  }

  private static Part audio(Json.Obj part) {
    Json.Obj audio = RequiredMember.object(part, "input_audio");
    return new Part.Audio(
        RequiredMember.string(audio, "data"),
        RequiredMember.string(audio, "format").text(),
        extrasWithInner(part, "input_audio", SharedMembers.extras(audio, "data", "format")),
        part);
  }

  /**
   * Returns a video. If its address is in an object, the object's other members stay among the
   * extras, even if there are none.
   */
  private static Part video(Json.Obj part) {
    Json.Obj object = part.object("video_url");
    if (object == null) {
      return new Part.Video(
          RequiredMember.string(part, "video_url"),
          SharedMembers.extras(part, "type", "video_url"),
          part);
    }
    Json.Obj extras = SharedMembers.extras(part, "type").with("video_url", object.without("url"));
    return new Part.Video(RequiredMember.string(object, "url"), extras, part);
  }

  private static Json.Obj extrasWithInner(Json.Obj part, String name, Json.Obj inner) {
    Json.Obj extras = SharedMembers.extras(part, "type", name);
    return inner.size() == 0 ? extras : extras.with(name, inner);
  }

  private static Part unknown(Json value) {
    String type = value instanceof Json.Obj part ? part.text("type") : null;
    return new Part.Unknown(type == null ? "" : type, value);
  }
}
