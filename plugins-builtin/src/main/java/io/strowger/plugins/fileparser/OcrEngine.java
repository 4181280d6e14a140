package io.strowger.plugins.fileparser;

import io.strowger.plugins.webclient.WebException;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Transport;
import java.util.List;

/**
 * Recognizes text in documents, including text in page images. A host passes an engine of its own
 * to {@link FileParserProvider#FileParserProvider(Transport, Transport, OcrEngine)}; the plugin
 * holds the fee before the call and bills it afterwards. Safe on any thread; blocks.
 */
public interface OcrEngine {
  /**
   * The result of a recognition.
   *
   * @param text the text of all pages, as Markdown
   * @param images data URLs of the images on the pages, in order
   * @param pages the number of pages to charge for
   */
  record Recognition(String text, List<String> images, int pages) {
    public Recognition {
      images = List.copyOf(images);
    }
  }

  /**
   * Recognizes a document.
   *
   * @param maxImages the number of images that are used; the engine may return more
   * @param chain gives the remaining time, cancellation and {@link
   *     Interceptor.Chain#openOutgoingCall}
   * @throws WebException when nothing was recognized; its message continues "the service ..."
   */
  Recognition recognize(byte[] pdf, int maxImages, Interceptor.Chain chain) throws WebException;
}
