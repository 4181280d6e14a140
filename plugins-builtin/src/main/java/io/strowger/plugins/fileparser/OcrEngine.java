package io.strowger.plugins.fileparser;

import io.strowger.plugins.webclient.WebException;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Transport;
import java.util.List;

/**
 * Recognizes text in documents, pictures of pages too. A host gives one of its own to {@link
 * FileParserProvider#FileParserProvider(Transport, Transport, OcrEngine)}; the plugin holds the fee
 * before and bills it after. Safe on any thread; blocks.
 */
public interface OcrEngine {
  /**
   * What was recognized.
   *
   * @param text of all pages, as Markdown
   * @param images data URLs of pictures on the pages, in order
   * @param pages as many as are charged for
   */
  record Recognized(String text, List<String> images, int pages) {
    public Recognized {
      images = List.copyOf(images);
    }
  }

  /**
   * Recognizes a document.
   *
   * @param mostImages pictures that are wanted; more may come
   * @param chain gives time, cancellation and {@link Interceptor.Chain#outgoing}
   * @throws WebException when nothing was recognized; the rest of a sentence about the service
   */
  Recognized recognize(byte[] pdf, int mostImages, Interceptor.Chain chain) throws WebException;
}
