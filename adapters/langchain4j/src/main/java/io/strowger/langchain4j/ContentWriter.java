package io.strowger.langchain4j;

import dev.langchain4j.data.audio.Audio;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.data.pdf.PdfFile;
import dev.langchain4j.data.video.Video;
import dev.langchain4j.exception.UnsupportedFeatureException;
import io.strowger.core.client.ContentPart;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the contents of messages as parts of the gateway's client. */
final class ContentWriter {
  private ContentWriter() {}

  /**
   * Returns the part for a content.
   *
   * @throws UnsupportedFeatureException for content that the gateway's client cannot express
   */
  static ContentPart part(Content content) {
    return switch (content) {
      case TextContent text -> ContentPart.text(text.text());
      case ImageContent image -> image(image);
      case AudioContent audio -> audio(audio.audio());
      case VideoContent video -> video(video.video());
      case PdfFileContent pdf -> pdf(pdf.pdfFile());
      default ->
          throw new UnsupportedFeatureException(
              "Content of type "
                  + content.type()
                  + " is not supported; use text, an image, audio, video or a PDF file");
    };
  }

  private static ContentPart image(ImageContent content) {
    Image image = content.image();
    String url = url(image.url(), image.base64Data(), image.mimeType(), "An image");
    return switch (content.detailLevel()) {
      case LOW, HIGH, AUTO ->
          ContentPart.image(url, content.detailLevel().name().toLowerCase(Locale.ROOT));
      case MEDIUM, ULTRA_HIGH ->
          throw new UnsupportedFeatureException(
              "The detail level "
                  + content.detailLevel()
                  + " of an image is not supported; use LOW, HIGH or AUTO");
    };
  }

  private static ContentPart audio(Audio audio) {
    if (audio.mimeType() == null) {
      throw new UnsupportedFeatureException("A recording needs its media type, such as audio/wav");
    }
    String format =
        switch (audio.mimeType()) {
          case "audio/mpeg" -> "mp3";
          case "audio/x-wav", "audio/wave", "audio/vnd.wave" -> "wav";
          default -> audio.mimeType().substring(audio.mimeType().indexOf('/') + 1);
        };
    if (audio.base64Data() != null) {
      return ContentPart.audio(audio.base64Data(), format);
    }
    if (audio.binaryData() != null) {
      return ContentPart.audio(audio.binaryData(), format);
    }
    throw new UnsupportedFeatureException(
        "A recording cannot be given by its address here; send its bytes");
  }

  private static ContentPart video(Video video) {
    return ContentPart.video(url(video.url(), video.base64Data(), video.mimeType(), "A video"));
  }

  private static ContentPart pdf(PdfFile pdf) {
    String type = pdf.mimeType() == null ? PdfFile.DEFAULT_MIME_TYPE : pdf.mimeType();
    return ContentPart.file("document.pdf", url(pdf.url(), pdf.base64Data(), type, "A document"));
  }

  private static String url(
      @Nullable URI url, @Nullable String base64, @Nullable String mediaType, String subject) {
    if (url != null) {
      return url.toString();
    }
    if (base64 == null || mediaType == null) {
      throw new UnsupportedFeatureException(
          subject + " needs an address, or its bytes in base64 and its media type");
    }
    return "data:" + mediaType + ";base64," + base64;
  }
}
