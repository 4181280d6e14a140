/**
 * Requests that plugins make to web sites and services, bounded in time, size and redirects. Start
 * reading at {@link io.strowger.plugins.webclient.WebClient}.
 */
@NullMarked
package io.strowger.plugins.webclient;

import org.jspecify.annotations.NullMarked;
