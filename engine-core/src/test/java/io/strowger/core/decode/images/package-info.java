@NullMarked
package io.strowger.core.decode.images;

import org.jspecify.annotations.NullMarked;
