/**
 * The plugin web-fetch: lets a model read pages. Start reading at {@link
 * io.strowger.plugins.webfetch.WebFetchProvider}.
 */
@NullMarked
package io.strowger.plugins.webfetch;

import org.jspecify.annotations.NullMarked;
