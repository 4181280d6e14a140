package io.strowger.plugins.fileparser;

import io.strowger.plugins.webclient.WebClient;
import io.strowger.plugins.webclient.WebException;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks an OCR service over HTTP: {@code POST /v1/ocr} with the document as a data URL; the answer
 * has {@code pages}, each with {@code markdown} and {@code images}, and {@code
 * usage_info.pages_processed}. Implemented from the public description of the protocol; tested with
 * servers that implement it, not with the service itself.
 */
final class HttpOcr implements OcrEngine {
  private static final WebClient.Limits LIMITS =
      new WebClient.Limits(Duration.ofMinutes(2), 64 << 20, 0);

  private final @Nullable WebClient web;
  private final OcrAccount account;
  private final URI address;

  /**
   * @param web the client; null when services cannot be reached
   */
  HttpOcr(@Nullable WebClient web, OcrAccount account) {
    this.web = web;
    this.account = account;
    this.address = URI.create(account.url().replaceAll("/+$", "") + "/v1/ocr");
  }

  @Override
  public Recognition recognize(byte[] pdf, int maxImages, Interceptor.Chain chain)
      throws WebException {
    if (web == null) {
      throw new WebException("was not asked: this gateway was given no transport for services");
    }
    String key = account.key();
    Map<String, String> headers = key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    return read(
        web.requestJson(
            new WebClient.ServiceRequest(address, headers, requestBody(pdf, maxImages)),
            LIMITS,
            chain));
  }

  private Json.Obj requestBody(byte[] pdf, int maxImages) {
    String data = "data:application/pdf;base64," + Base64.getEncoder().encodeToString(pdf);
    Json.Obj document = Json.object().put("type", "document_url").put("document_url", data).build();
    return Json.object()
        .put("model", account.model())
        .put("document", document)
        .put("include_image_base64", maxImages > 0)
        .put("image_limit", maxImages)
        .build();
  }

  private static Recognition read(Json answer) throws WebException {
    Json.Arr pages = answer instanceof Json.Obj object ? object.list("pages") : null;
    if (pages == null) {
      throw new WebException("answered with something that has no pages");
    }
    var text = new ArrayList<String>();
    var images = new ArrayList<String>();
    for (int i = 0; i < pages.size(); i++) {
      if (pages.get(i) instanceof Json.Obj page) {
        String markdown = page.text("markdown");
        text.add(markdown == null ? "" : markdown);
        addImages(page.list("images"), images);
      }
    }
    Json.Obj usage = ((Json.Obj) answer).object("usage_info");
    long processed =
        usage == null ? pages.size() : usage.longValue("pages_processed", pages.size());
    boolean isValid = processed >= 0 && processed <= Integer.MAX_VALUE;
    return new Recognition(
        String.join("\n\n", text), images, isValid ? (int) processed : pages.size());
  }

  private static void addImages(Json.@Nullable Arr items, List<String> urls) {
    for (int i = 0; items != null && i < items.size(); i++) {
      String data = items.get(i) instanceof Json.Obj image ? image.text("image_base64") : null;
      if (data != null && !data.isEmpty()) {
        urls.add(data.startsWith("data:") ? data : "data:image/jpeg;base64," + data);
      }
    }
  }
}
