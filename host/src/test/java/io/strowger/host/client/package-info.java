/** Tests of the whole gateway with client libraries that were not made for it. */
@NullMarked
package io.strowger.host.client;

import org.jspecify.annotations.NullMarked;
