package io.strowger.plugins.fileparser;

import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The location of the PDF of a file part of any dialect: in the request, or at an address.
 *
 * @param name the file name, for messages; null when none was given
 * @param base64 the document in base64; null when it is at an address
 * @param address the address of the document; null when it is in the request
 */
record FileSource(@Nullable String name, @Nullable String base64, @Nullable String address) {
  /** The beginning of a PDF document in base64. */
  private static final String MAGIC = "JVBER";

  /**
   * Returns the source of a file part; null when its data is not a PDF or it is stored at an
   * upstream.
   */
  static @Nullable FileSource of(Part.File part) {
    Json.Obj file = part.file();
    return file.has("type") ? ofSource(file, part.extras().text("title")) : ofFile(file);
  }

  private static @Nullable FileSource ofSource(Json.Obj source, @Nullable String name) {
    String data = source.text("data");
    String url = source.text("url");
    if ("base64".equals(source.text("type")) && data != null) {
      return isPdf(source.text("media_type"), data) ? new FileSource(name, data, null) : null;
    }
    return "url".equals(source.text("type")) && url != null ? ofUrl(url, name) : null;
  }

  private static @Nullable FileSource ofFile(Json.Obj file) {
    String name = file.text("filename");
    String data = file.text("file_data");
    String url = file.text("file_url");
    if (data == null) {
      return url == null ? null : ofUrl(url, name);
    }
    return data.startsWith(MAGIC) ? new FileSource(name, data, null) : ofUrl(data, name);
  }

  private static @Nullable FileSource ofUrl(String url, @Nullable String name) {
    String scheme = url.substring(0, Math.min(url.length(), 8)).toLowerCase(Locale.ROOT);
    if (scheme.startsWith("http://") || scheme.startsWith("https://")) {
      return new FileSource(name, null, url);
    }
    int comma = url.indexOf(',');
    if (!scheme.startsWith("data:") || comma < 0) {
      return null;
    }
    String head = url.substring("data:".length(), comma).toLowerCase(Locale.ROOT);
    String data = url.substring(comma + 1);
    return head.endsWith(";base64") && isPdf(head.substring(0, head.indexOf(';')), data)
        ? new FileSource(name, data, null)
        : null;
  }

  private static boolean isPdf(@Nullable String mediaType, String base64) {
    return "application/pdf".equals(mediaType) || base64.startsWith(MAGIC);
  }

  /** Returns how messages refer to the file. */
  String title() {
    String fileName = name;
    return fileName == null || fileName.isBlank()
        ? "The file"
        : "The file " + ShortText.beginning(fileName, 100);
  }
}
