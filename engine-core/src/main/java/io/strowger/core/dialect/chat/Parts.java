package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.ByKind;
import io.strowger.core.decode.Members;
import io.strowger.core.decode.Reading;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.CacheControl;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.Objects;

/**
 * {@code content}: one string, or parts with a table for each type. Chat fact sheet, section 3. A
 * part of a type that is not listed there is wrong.
 */
final class Parts {
  private static final Rule<Part> TEXT =
      Members.made(
          Members.<Json.Obj>table()
              .required("text", string())
              .optional("cache_control", CacheControl.RULE)
              .optional("prompt_cache_breakpoint", CacheControl.EXPLICIT.orNull())
              .build(),
          Parts::text);

  private static final Rule<Part> IMAGE =
      Members.made(
          holding(
              "image_url",
              Members.<Json.Obj>table()
                  .required("url", MediaAddress.RULE)
                  .optional("detail", word("auto", "low", "high", "original"))
                  .build()),
          Parts::image);

  private static final Rule<Part> AUDIO =
      Members.made(
          holding(
              "input_audio",
              Members.<Json.Obj>table()
                  .required("data", string())
                  .required("format", string())
                  .build()),
          Parts::audio);

  private static final Rule<Part> VIDEO =
      Members.made(
          holding(
              "video_url", Members.<Json.Obj>table().required("url", MediaAddress.RULE).build()),
          Parts::video);

  private static final Rule<Part> FILE =
      Members.made(
          holding(
              "file",
              Members.<Json.Obj>table()
                  .optional("filename", string())
                  .optional("file_data", string())
                  .optional("file_id", string())
                  .build()),
          Parts::file);

  private static final Union<Part> ANY =
      Union.<Part>on("type")
          .when("text", TEXT)
          .when("image_url", IMAGE)
          .when("input_audio", AUDIO)
          .when("video_url", VIDEO)
          .when("input_video", VIDEO) // its legacy name
          .when("file", FILE);

  private static final Union<Part> ONLY_TEXT =
      Union.<Part>on("type")
          .when("text", TEXT)
          .otherwise(
              (given, reading) -> {
                if (given instanceof Json.Obj part) {
                  reading.wrong(
                      "type", "must be text, the only kind taken here", member(part, "type"));
                }
                return null;
              });

  /** A string or an array of parts of any type. */
  static final Rule<List<Part>> CONTENT = content(ANY);

  /** A string or an array of text parts. */
  static final Rule<List<Part>> TEXT_CONTENT = content(ONLY_TEXT);

  private static final List<String> OF_TEXT = List.of("type", "text");
  private static final List<String> OF_IMAGE = List.of("type", "image_url");
  private static final List<String> OF_AUDIO = List.of("type", "input_audio");
  private static final List<String> OF_VIDEO = List.of("type", "video_url");
  private static final List<String> OF_FILE = List.of("type", "file");
  private static final List<String> URL = List.of("url");
  private static final List<String> SOUND = List.of("data", "format");

  private Parts() {}

  private static Rule<List<Part>> content(Rule<Part> part) {
    return ByKind.<List<Part>>of("must be a string or an array of content parts")
        .string(Parts::plain)
        .array(list(part));
  }

  private static List<Part> plain(Json given, Reading reading) {
    // no source: its JSON is that of a whole content, not of a part
    return List.of(new Part.Text((Json.Str) given, Json.Obj.EMPTY, null));
  }

  private static Members<Json.Obj> holding(String name, Members<Json.Obj> inner) {
    return Members.<Json.Obj>table().required(name, Members.kept(inner)).build();
  }

  private static Json member(Json.Obj object, String name) {
    return Objects.requireNonNull(object.get(name), name);
  }

  private static Json.Obj innerOf(Json.Obj object, String name) {
    return (Json.Obj) member(object, name);
  }

  private static Json.Str textOf(Json.Obj object, String name) {
    return (Json.Str) member(object, name);
  }

  private static Part text(Json.Obj part) {
    return new Part.Text(textOf(part, "text"), Extras.beside(part, OF_TEXT), part);
  }

  private static Part image(Json.Obj part) {
    Json.Obj image = innerOf(part, "image_url");
    return new Part.Image(
        textOf(image, "url"), Extras.of(part, OF_IMAGE, Extras.beside(image, URL)), part);
  }

  private static Part audio(Json.Obj part) {
    Json.Obj audio = innerOf(part, "input_audio");
    return new Part.Audio(
        textOf(audio, "data"),
        textOf(audio, "format").text(),
        Extras.of(part, OF_AUDIO, Extras.beside(audio, SOUND)),
        part);
  }

  private static Part video(Json.Obj part) {
    Json.Obj video = innerOf(part, "video_url");
    return new Part.Video(
        textOf(video, "url"), Extras.of(part, OF_VIDEO, Extras.beside(video, URL)), part);
  }

  private static Part file(Json.Obj part) {
    return new Part.File(innerOf(part, "file"), Extras.beside(part, OF_FILE), part);
  }
}
