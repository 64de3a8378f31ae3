"""Small valid files of every format, from which mutations start."""

from tests.fuzz.reading import BETWEEN

TEXT = {
    "positions": b"size,apple,pear,plum\n7.1,1,2,3\n6.4,2,1,3\n3.2,3,2,1\n6.9,1,3,2\n",
    "orders": b"x;rank_1;rank_2;rank_3\n0,5;2;3;1\n0,7;3;1;2\n1,5;1;2;3\n",
    "partial": b"x\ta\tb\tc\n1\t1\t\t2\n2\t2\t1\t?\n3\t1\t1\t2\n",
    "words": b"x,ranking\n1,b>a=c\n2,a>c>b\n3,c>b\n4,a=b>c\n",
    "relevance": b'x,"y, z",l1,l2\n1,2,0,1\n2,1,1,0\n3,4,1,1\n4,3,0,0\n',
    "calibrated": b"x,a,b,c,zero\n1,1,2,4,3\n2,4,1,3,2\n3,2,3,4,1\n",
    "split": b"x,a,b,part\n1,1,2,train\n2,2,1,train\n3,1,2,test\n4,2,1,test\n",
    "nominal": b"colour,x,a,b\nred,1,1,2\nblue,2,2,1\nred,3,1,2\nblue,,2,1\n",
    "numbers": b"5.1,3.5,1,2,3\n4.9,3.0,2,1,3\n6.2,3.4,3,2,1\n",
    "pair": b"x,a,b\n1,1,2\n2,2,1\n3,1,2" + BETWEEN + b"x,a,b\n3,1,2\n4,2,1\n",
}


def seeds():
    """Return all of them by name."""
    return {f"text-{name}": content for name, content in TEXT.items()}
