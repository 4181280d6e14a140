/**
 * Speaks the responses dialect to an upstream. So far it writes a request back as a document of its
 * own dialect; the adapter that sends one is yet to come. Start reading at {@link
 * io.strowger.providers.responses.ResponsesWriter}.
 */
@NullMarked
package io.strowger.providers.responses;

import org.jspecify.annotations.NullMarked;
