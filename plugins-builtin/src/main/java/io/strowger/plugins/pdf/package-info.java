/**
 * Text of PDF documents, read in bounded time and memory. Start reading at {@link
 * io.strowger.plugins.pdf.PdfText}.
 */
@NullMarked
package io.strowger.plugins.pdf;

import org.jspecify.annotations.NullMarked;
