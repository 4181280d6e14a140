package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Union;
import io.strowger.core.dialect.MediaAddress;
import io.strowger.core.dialect.SharedMembers;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Media;
import io.strowger.spi.model.Part;
import java.util.List;

/** The rules for {@code image} and {@code document} blocks. Messages fact sheet, section 2. */
final class MediaBlockRules {
  private static final Rule<String> REGISTERED_IMAGE_TYPE =
      wordAmong("image/jpeg", "image/png", "image/gif", "image/webp");

  /**
   * The media type of an image. The alias {@code image/jpg} is valid, but its text is not used: the
   * body is then read again with the registered name.
   */
  private static final Rule<String> IMAGE_TYPE =
      (value, context) ->
          MediaAddress.noteIfAlias(value, context)
              ? ""
              : REGISTERED_IMAGE_TYPE.read(value, context);

  private static final Rule<Json.Obj> IMAGE_SOURCE =
      Union.<Json.Obj>on("type").when("base64", inlineSource(IMAGE_TYPE)).when("url", urlSource());

  static final Rule<Part> IMAGE =
      members()
          .required("source", IMAGE_SOURCE)
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .as(MediaBlockRules::image);

  private static final Rule<List<Part>> TEXT_AND_IMAGES =
      SharedMembers.content(
          "must be a string or an array of text and image blocks",
          Union.<Part>on("type").when("text", BlockRules.TEXT).when("image", IMAGE));

  private static final Rule<Json.Obj> DOCUMENT_SOURCE =
      Union.<Json.Obj>on("type")
          .when("base64", inlineSource(wordAmong("application/pdf")))
          .when("text", inlineSource(wordAmong("text/plain")))
          .when("url", urlSource())
          .when("file", requiring("file_id"))
          .when("content", members().required("content", TEXT_AND_IMAGES).asJson());

  static final Rule<Part> DOCUMENT =
      members()
          .required("source", DOCUMENT_SOURCE)
          .optional("title", string().orNull())
          .optional("context", string().orNull())
          .optional("citations", CitationRules.SWITCH.orNull())
          .optional("cache_control", SharedMembers.CACHE_CONTROL)
          .as(MediaBlockRules::document);

  private MediaBlockRules() {}

  private static Rule<Json.Obj> inlineSource(Rule<String> mediaType) {
    return members().required("media_type", mediaType).required("data", string()).asJson();
  }

  private static Rule<Json.Obj> urlSource() {
    return members().required("url", MediaAddress.RULE).asJson();
  }

  private static Rule<Json.Obj> requiring(String member) {
    return members().required(member, string()).asJson();
  }

  private static Part image(Json.Obj block) {
    Json.Obj source = RequiredMember.object(block, "source");
    Media media =
        "url".equals(source.text("type"))
            ? new Media.Url(RequiredMember.string(source, "url"))
            : new Media.Inline(
                RequiredMember.text(source, "media_type"), RequiredMember.string(source, "data"));
    Json.Obj sourceExtras =
        media instanceof Media.Url
            ? SharedMembers.extras(source, "type", "url")
            : SharedMembers.extras(source, "type", "media_type", "data");
    Json.Obj extras = SharedMembers.extras(block, "type", "source");
    return new Part.Image(
        media, sourceExtras.size() == 0 ? extras : extras.with("source", sourceExtras), block);
  }

  /** Returns a file part; for a document of plain text or content blocks, the unchanged block. */
  private static Part document(Json.Obj block) {
    Json.Obj source = RequiredMember.object(block, "source");
    return switch (RequiredMember.text(source, "type")) {
      case "text", "content" -> BlockRules.unchanged(block);
      default -> new Part.File(source, SharedMembers.extras(block, "type", "source"), block);
    };
  }
}
