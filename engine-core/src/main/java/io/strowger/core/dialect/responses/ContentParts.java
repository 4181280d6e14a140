package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.array;
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
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.Objects;

/**
 * The rules for content parts. Responses fact sheet, "Input items"; {@code input_audio} and {@code
 * input_video} have the inner form of the chat fact sheet, section 3, but a video's address may
 * also be a plain string, without an object around it. Parts of an unknown type are kept.
 *
 * <p>A text keeps its {@code type} among its extras, since there are two types of text.
 */
final class ContentParts {
  private static final MemberTable<Json.Obj> INPUT_TEXT =
      MemberTable.<Json.Obj>table()
          .required("text", string())
          .optional("prompt_cache_breakpoint", SharedMembers.EXPLICIT_CACHE.orNull())
          .build();

  private static final MemberTable<Json.Obj> INPUT_IMAGE =
      MemberTable.<Json.Obj>table()
          .optional("image_url", MediaAddress.RULE.orNull())
          .optional("file_id", string().orNull())
          .optional("detail", wordAmong("auto", "low", "high", "original"))
          .also((part, context) -> oneOf(List.of("image_url", "file_id"), part, context))
          .build();

  private static final MemberTable<Json.Obj> INPUT_FILE =
      MemberTable.<Json.Obj>table()
          .optional("file_data", string().orNull())
          .optional("file_url", MediaAddress.RULE.orNull())
          .optional("file_id", string().orNull())
          .optional("filename", string().orNull())
          .also(
              (part, context) -> oneOf(List.of("file_data", "file_url", "file_id"), part, context))
          .build();

  private static final MemberTable<Json.Obj> SOUND =
      MemberTable.<Json.Obj>table().required("data", string()).required("format", string()).build();

  private static final MemberTable<Json.Obj> INPUT_AUDIO =
      MemberTable.<Json.Obj>table().required("input_audio", MemberTable.kept(SOUND)).build();

  private static final MemberTable<Json.Obj> ADDRESS =
      MemberTable.<Json.Obj>table().required("url", MediaAddress.RULE).build();

  private static final MemberTable<Json.Obj> INPUT_VIDEO =
      MemberTable.<Json.Obj>table()
          .required(
              "video_url",
              ByJsonType.<Json>of("must be a string or an object with a url")
                  .string(MediaAddress.RULE)
                  .object(MemberTable.kept(ADDRESS)))
          .build();

  private static final MemberTable<Json.Obj> OUTPUT_TEXT =
      MemberTable.<Json.Obj>table()
          .required("text", string())
          .optional("annotations", array())
          .optional("logprobs", array().orNull())
          .build();

  private static final MemberTable<Json.Obj> REFUSAL =
      MemberTable.<Json.Obj>table().required("refusal", string()).build();

  private static final Union<Part> INPUT_KINDS =
      Union.<Part>on("type")
          .when("input_text", MemberTable.mapped(INPUT_TEXT, ContentParts::text))
          .when("input_image", MemberTable.mapped(INPUT_IMAGE, ContentParts::image))
          .when("input_file", MemberTable.mapped(INPUT_FILE, ContentParts::file))
          .when("input_audio", MemberTable.mapped(INPUT_AUDIO, ContentParts::audio))
          .when("input_video", MemberTable.mapped(INPUT_VIDEO, ContentParts::video));

  static final String INPUT_ONLY =
      "must be one of input_text, input_image, input_file, input_audio, input_video";

  /** The parts that a caller or a tool may send. */
  static final Rule<Part> INPUT =
      INPUT_KINDS.orElse(
          (given, context) -> {
            if (given instanceof Json.Obj part && isOutput(part)) {
              context.reject("type", INPUT_ONLY, Objects.requireNonNull(part.get("type")));
              return null;
            }
            return unknown(given);
          });

  /** The parts of any message, including the model's. */
  static final Union<Part> ANY =
      INPUT_KINDS
          .when("output_text", MemberTable.mapped(OUTPUT_TEXT, ContentParts::text))
          .when("refusal", MemberTable.mapped(REFUSAL, ContentParts::refusal))
          .orElse((given, context) -> unknown(given));

  private static final List<String> FILE_MEMBERS =
      List.of("file_data", "file_url", "file_id", "filename");

  private static final Json.Obj PLAIN_INPUT = Json.object().put("type", "input_text").build();

  private ContentParts() {}

  /** Returns whether a part is of a type that only the model sends. */
  static boolean isOutput(Json given) {
    String type = given instanceof Json.Obj part ? part.text("type") : null;
    return "output_text".equals(type) || "refusal".equals(type);
  }

  /** Requires exactly one of several members; an explicit null counts as absent. */
  private static void oneOf(List<String> names, Json.Obj part, DecodingContext context) {
    long given = names.stream().filter(name -> isSet(part, name)).count();
    if (given != 1) {
      context.reject("must have exactly one of " + String.join(", ", names), part);
    }
  }

  private static boolean isSet(Json.Obj part, String name) {
    return part.has(name) && !(part.get(name) instanceof Json.Null);
  }

  private static Json.Str member(Json.Obj object, String name) {
    return (Json.Str) Objects.requireNonNull(object.get(name));
  }

  private static Part text(Json.Obj part) {
    boolean plain = part.size() == 2 && "input_text".equals(part.text("type"));
    return new Part.Text(
        member(part, "text"), plain ? PLAIN_INPUT : SharedMembers.extras(part, "text"), part);
  }

  private static Part refusal(Json.Obj part) {
    return new Part.Refusal(member(part, "refusal"), part);
  }

  private static Part image(Json.Obj part) {
    return isSet(part, "image_url")
        ? new Part.Image(
            new Media.Url(member(part, "image_url")),
            SharedMembers.extras(part, "type", "image_url"),
            part)
        : new Part.Image(
            new Media.FileId(member(part, "file_id").text()),
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
    Json.Obj rest =
        SharedMembers.extras(part, "type", "file_data", "file_url", "file_id", "filename");
    return new Part.File(file.build(), rest, part);
  }

  private static Part audio(Json.Obj part) {
    Json.Obj sound = Objects.requireNonNull(part.object("input_audio"));
    return new Part.Audio(
        member(sound, "data"),
        member(sound, "format").text(),
        within(part, "input_audio", SharedMembers.extras(sound, "data", "format")),
        part);
  }

  /**
   * Returns a video. If its address is in an object, the object's other members stay among the
   * extras, even if there are none.
   */
  private static Part video(Json.Obj part) {
    Json.Obj around = part.object("video_url");
    if (around == null) {
      return new Part.Video(
          member(part, "video_url"), SharedMembers.extras(part, "type", "video_url"), part);
    }
    Json.Obj extras = SharedMembers.extras(part, "type").with("video_url", around.without("url"));
    return new Part.Video(member(around, "url"), extras, part);
  }

  private static Json.Obj within(Json.Obj part, String name, Json.Obj rest) {
    Json.Obj extras = SharedMembers.extras(part, "type", name);
    return rest.size() == 0 ? extras : extras.with(name, rest);
  }

  private static Part unknown(Json given) {
    String type = given instanceof Json.Obj part ? part.text("type") : null;
    return new Part.Unknown(type == null ? "" : type, given);
  }
}
